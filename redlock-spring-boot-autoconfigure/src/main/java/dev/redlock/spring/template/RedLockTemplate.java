package dev.redlock.spring.template;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import org.jspecify.annotations.Nullable;

/**
 * Locks around pieces of code, over a {@link Redlock}. Thread-safe; one is enough.
 */
public final class RedLockTemplate implements RedLockOperations {

	private final RedLockOperations operations;

	/**
	 * Creates a template.
	 * @param redlock the lock
	 * @param executor runs the functions given to {@link #executeAsync}, which may block
	 */
	public RedLockTemplate(Redlock redlock, Executor executor) {
		this(new LockedOperations(redlock, executor));
	}

	private RedLockTemplate(RedLockOperations operations) {
		this.operations = operations;
	}

	/**
	 * A template that takes every lock and keeps nobody out, as
	 * {@link RedLockOperations#withoutLocks()} does.
	 * @return the template
	 */
	public static RedLockTemplate withoutLocks() {
		return new RedLockTemplate(RedLockOperations.withoutLocks());
	}

	@Override
	public <T extends @Nullable Object> T execute(LockRequest request, LockCallback<T> action) {
		return this.operations.execute(request, action);
	}

	@Override
	public Optional<Lease> tryAcquire(LockRequest request) {
		return this.operations.tryAcquire(request);
	}

	@Override
	public Lease acquire(LockRequest request) {
		return this.operations.acquire(request);
	}

	@Override
	public <T extends @Nullable Object> CompletableFuture<T> executeAsync(LockRequest request,
			Function<Lease, ? extends CompletionStage<T>> action) {
		return this.operations.executeAsync(request, action);
	}

}

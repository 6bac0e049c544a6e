package dev.redlock.spring.template;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.spring.internal.work.WorkRequest;
import org.jspecify.annotations.Nullable;

/**
 * Operations whose locks do not take part in the transaction of the caller, even if a
 * bean of the application decorates the template. A thread-local carries this through the
 * decorator, which knows nothing about transactions.
 */
final class ApartFromTransaction implements RedLockOperations {

	private static final ThreadLocal<@Nullable ApartFromTransaction> CURRENT = new ThreadLocal<>();

	private final RedLockOperations operations;

	private final boolean suspends;

	ApartFromTransaction(RedLockOperations operations, boolean suspends) {
		this.operations = operations;
		this.suspends = suspends;
	}

	/**
	 * Makes a call release its leases at its end, if these operations have started it.
	 */
	static WorkRequest applyTo(WorkRequest work) {
		ApartFromTransaction current = CURRENT.get();
		return (current != null) ? work.releasingAtEnd(current.suspends) : work;
	}

	@Override
	public <T extends @Nullable Object> T execute(LockRequest request, LockCallback<T> action) {
		return call(this, () -> this.operations.execute(request, (lease) -> {
			ApartFromTransaction outer = replace(null);
			try {
				return action.doWithLease(lease);
			}
			finally {
				replace(outer);
			}
		}));
	}

	@Override
	public Optional<Lease> tryAcquire(LockRequest request) {
		return call(this, () -> this.operations.tryAcquire(request));
	}

	@Override
	public Lease acquire(LockRequest request) {
		return call(this, () -> this.operations.acquire(request));
	}

	@Override
	public <T extends @Nullable Object> CompletableFuture<T> executeAsync(LockRequest request,
			Function<Lease, ? extends CompletionStage<T>> action) {
		return call(this,
				() -> this.operations.executeAsync(request, (lease) -> call(null, () -> action.apply(lease))));
	}

	@Override
	public <T extends @Nullable Object> CompletableFuture<T> executeUntilComplete(LockRequest request,
			Function<Lease, ? extends CompletionStage<T>> action) {
		return call(this,
				() -> this.operations.executeUntilComplete(request, (lease) -> call(null, () -> action.apply(lease))));
	}

	private static <T extends @Nullable Object> T call(@Nullable ApartFromTransaction apart, Supplier<T> action) {
		ApartFromTransaction outer = replace(apart);
		try {
			return action.get();
		}
		finally {
			replace(outer);
		}
	}

	private static @Nullable ApartFromTransaction replace(@Nullable ApartFromTransaction next) {
		ApartFromTransaction outer = CURRENT.get();
		if (next != null) {
			CURRENT.set(next);
		}
		else {
			CURRENT.remove();
		}
		return outer;
	}

}

package dev.redlock.docs.snippets;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;
import dev.redlock.spring.template.LockCallback;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.spring.template.RedLockTemplate;
import org.jspecify.annotations.Nullable;

// region: testing-no-locks
/**
 * Locks in memory, without Redis and without waiting, that remember what was asked for.
 */
class NoLocks implements RedLockOperations {

	private final ManualTime time = new ManualTime();

	private final RedLockTemplate delegate = new RedLockTemplate(
			Redlock.over(List.of(new InMemoryNode("memory", this.time)))
				.ticker(this.time)
				.scheduler(this.time)
				.random(new Random())
				.callbacks(Runnable::run)
				.build(),
			Runnable::run);

	private final List<LockRequest> requests = new CopyOnWriteArrayList<>();

	List<LockRequest> requests() {
		return this.requests;
	}

	@Override
	public <T extends @Nullable Object> T execute(LockRequest request, LockCallback<T> action) {
		this.requests.add(request);
		return this.delegate.execute(request, action);
	}

	@Override
	public Optional<Lease> tryAcquire(LockRequest request) {
		this.requests.add(request);
		return this.delegate.tryAcquire(request);
	}

	@Override
	public Lease acquire(LockRequest request) {
		this.requests.add(request);
		return this.delegate.acquire(request);
	}

	@Override
	public <T extends @Nullable Object> CompletableFuture<T> executeAsync(LockRequest request,
			Function<Lease, ? extends CompletionStage<T>> action) {
		this.requests.add(request);
		return this.delegate.executeAsync(request, action);
	}

}
// endregion

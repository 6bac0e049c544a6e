package dev.redlock.spring.template;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.LossPolicy;
import dev.redlock.Redlock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes locks from a {@link Redlock}.
 */
final class LockedOperations implements RedLockOperations {

	private static final Logger logger = LoggerFactory.getLogger(RedLockTemplate.class);

	private final Redlock redlock;

	private final Executor executor;

	LockedOperations(Redlock redlock, Executor executor) {
		this.redlock = redlock;
		this.executor = executor;
	}

	@Override
	public <T extends @Nullable Object> T execute(LockRequest request, LockCallback<T> action) {
		Coverage coverage = Coverage.of(request, this.redlock);
		if (coverage.isComplete()) {
			return reEnter(coverage.outer(), coverage.view(), action);
		}
		Lease lease = this.redlock.attemptInScope(coverage.rest(request)).orThrow();
		return run(new BoundLease(this.redlock, lease), request.onLoss(), action);
	}

	@Override
	public Optional<Lease> tryAcquire(LockRequest request) {
		Coverage coverage = Coverage.of(request, this.redlock);
		if (coverage.isComplete()) {
			return Optional.of(coverage.view());
		}
		return this.redlock.attemptAndWait(coverage.rest(request)).lease();
	}

	@Override
	public Lease acquire(LockRequest request) {
		Coverage coverage = Coverage.of(request, this.redlock);
		if (coverage.isComplete()) {
			return coverage.view();
		}
		return this.redlock.attemptAndWait(coverage.rest(request)).orThrow();
	}

	@Override
	public <T extends @Nullable Object> CompletableFuture<T> executeAsync(LockRequest request,
			Function<Lease, ? extends CompletionStage<T>> action) {
		Coverage coverage;
		try {
			coverage = Coverage.of(request, this.redlock).retained(request);
		}
		catch (LockLostException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		return new AsyncExecution<T>(this.redlock, this.executor, request, coverage, action).start();
	}

	private <T extends @Nullable Object> T run(BoundLease lease, LossPolicy policy, LockCallback<T> action) {
		LossWatch watch = LossWatch.start(lease, policy);
		T result;
		try {
			result = bound(lease, action);
		}
		catch (Throwable failure) {
			watch.end(failure).ifPresent(failure::addSuppressed);
			release(lease, policy, failure);
			throw LockedOperations.<RuntimeException>unchanged(failure);
		}
		Optional<LockLostException> loss = watch.end(null);
		release(lease, policy, loss.orElse(null));
		if (loss.isPresent()) {
			throw loss.get();
		}
		return result;
	}

	private static <T extends @Nullable Object> T bound(BoundLease lease, LockCallback<T> action) throws Exception {
		CurrentLease.Scope scope = CurrentLease.open(lease);
		try {
			return action.doWithLease(lease);
		}
		finally {
			scope.close();
		}
	}

	/**
	 * A lease that a transaction keeps is current no more, so all are made current.
	 */
	private static <T extends @Nullable Object> T reEnter(List<BoundLease> outer, Lease view, LockCallback<T> action) {
		if (outer.isEmpty()) {
			try {
				return action.doWithLease(view);
			}
			catch (Throwable failure) {
				throw LockedOperations.<RuntimeException>unchanged(failure);
			}
		}
		CurrentLease.Scope scope = CurrentLease.open(outer.get(0));
		try {
			return reEnter(outer.subList(1, outer.size()), view, action);
		}
		finally {
			scope.close();
		}
	}

	private static void release(BoundLease lease, LossPolicy policy, @Nullable Throwable outcome) {
		try {
			if (!Transactions.keep(lease, policy)) {
				lease.done();
			}
		}
		catch (RuntimeException ex) {
			if (outcome != null) {
				outcome.addSuppressed(ex);
			}
			else {
				logger.warn("The lock on {} was not released and ends with its ttl", lease.resources(), ex);
			}
		}
	}

	/**
	 * Lets a checked exception pass where none is declared, instead of wrapping it.
	 */
	@SuppressWarnings("unchecked")
	private static <E extends Throwable> E unchanged(Throwable failure) throws E {
		throw (E) failure;
	}

}

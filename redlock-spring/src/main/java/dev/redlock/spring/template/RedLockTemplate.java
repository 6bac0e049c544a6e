package dev.redlock.spring.template;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;

import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.spring.internal.work.AsyncExecution;
import dev.redlock.spring.internal.work.CallSite;
import dev.redlock.spring.internal.work.LockedWork;
import dev.redlock.spring.internal.work.WorkRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.core.task.TaskDecorator;

/**
 * Runs callbacks under locks of a {@link Redlock}. A {@code RedLockTemplate} is
 * thread-safe, and an application needs only one.
 */
public final class RedLockTemplate implements RedLockOperations {

	final BiFunction<LockRequest, CallSite, WorkRequest> works;

	private final Executor executor;

	private final TaskDecorator decorator;

	private final @Nullable Redlock redlock;

	/**
	 * Creates a template.
	 * @param executor runs the non-blocking callbacks given to {@link #executeAsync}
	 */
	public RedLockTemplate(Redlock redlock, Executor executor) {
		this(redlock, executor, (callback) -> callback);
	}

	/**
	 * Creates a template whose asynchronous callbacks run in the context of their caller.
	 * @param executor runs the callbacks given to {@link #executeAsync}, which must not
	 * block
	 * @param decorator decorates these callbacks on the thread of their caller, because
	 * the executor gets them later and on another thread
	 */
	public RedLockTemplate(Redlock redlock, Executor executor, TaskDecorator decorator) {
		this((request, site) -> WorkRequest.locking(request, redlock, site), executor, decorator, redlock);
	}

	private RedLockTemplate(BiFunction<LockRequest, CallSite, WorkRequest> works, Executor executor,
			TaskDecorator decorator, @Nullable Redlock redlock) {
		this.works = works;
		this.executor = executor;
		this.decorator = decorator;
		this.redlock = redlock;
	}

	/**
	 * Creates a template whose callbacks run under a lease that somebody else acquires
	 * and releases. The names in requests are ignored.
	 * @param resource the name that the lease covers
	 * @param owner returns the lease for a call, and gets the stage that completes when
	 * the call has ended; or throws {@link LockNotAcquiredException}
	 * @param executor runs the non-blocking callbacks given to {@link #executeAsync}
	 * @return the template
	 */
	public static RedLockTemplate borrowing(Redlock redlock, String resource,
			Function<CompletionStage<Void>, Lease> owner, Executor executor) {
		return new RedLockTemplate((request, site) -> WorkRequest.borrowing(request.withResources(List.of(resource)),
				redlock, owner, site), executor, (callback) -> callback, redlock);
	}

	/**
	 * Creates a template that runs every callback at once and without a lock.
	 * @param executor runs the non-blocking callbacks given to {@link #executeAsync}
	 * @return the template
	 */
	public static RedLockTemplate withoutLocksOn(Executor executor) {
		return new RedLockTemplate(WorkRequest::withoutLock, executor, (callback) -> callback, null);
	}

	/**
	 * Returns operations for callbacks that do not write in the outer transaction,
	 * because these callbacks suspend that transaction or only read. The lock is released
	 * when the callback ends, and not at the end of the outer transaction.
	 * @param operations a template, or a bean of the application that decorates one
	 * @param suspends whether the callbacks suspend the outer transaction. A callback
	 * that suspends the outer transaction fails if it re-enters a lock under which that
	 * transaction may have uncommitted writes
	 */
	public static RedLockOperations apartFromTransactions(RedLockOperations operations, boolean suspends) {
		// A mocked template has no fields.
		return (operations instanceof RedLockTemplate template && template.redlock != null)
				? template.apartFromTransactions(suspends) : new ApartFromTransaction(operations, suspends);
	}

	private RedLockTemplate apartFromTransactions(boolean suspends) {
		return new RedLockTemplate(this.works.andThen((work) -> work.releasingAtEnd(suspends)), this.executor,
				this.decorator, this.redlock);
	}

	/**
	 * Checks that the settings of a lock request are possible, such as a ttl that is long
	 * enough.
	 * @throws IllegalArgumentException if no lock could ever be acquired with these
	 * settings
	 */
	public void check(LockRequest request) {
		if (this.redlock != null) {
			this.redlock.check(request);
		}
	}

	@Override
	public <T extends @Nullable Object> T execute(LockRequest request, LockCallback<T> action) {
		LockedWork work = work(request).acquire();
		T result;
		try {
			Lease lease = work.lease();
			result = work.call(lease, () -> action.doWithLease(lease));
		}
		catch (Throwable failure) {
			Optional<LockLostException> loss = work.loss(false);
			work.release();
			// A LockLostException of a nested call may already report this loss, so no
			// suppressed exception is added.
			if (!(failure instanceof LockLostException)) {
				loss.ifPresent(failure::addSuppressed);
			}
			throw RedLockTemplate.<RuntimeException>unchanged(failure);
		}
		Optional<LockLostException> loss = work.loss(work.mayHaveCommitted());
		work.release();
		if (loss.isPresent()) {
			throw loss.get();
		}
		return result;
	}

	@Override
	public Optional<Lease> tryAcquire(LockRequest request) {
		WorkRequest work = work(request).acquiringOnly();
		return work.needsLock() ? work.attemptAndWait().lease().map(work::leaseToClose)
				: Optional.of(work.leaseToClose(null));
	}

	@Override
	public Lease acquire(LockRequest request) {
		WorkRequest work = work(request).acquiringOnly();
		return work.leaseToClose(work.needsLock() ? work.attemptAndWait().orThrow() : null);
	}

	@Override
	public <T extends @Nullable Object> CompletableFuture<T> executeAsync(LockRequest request,
			Function<Lease, ? extends CompletionStage<T>> action) {
		try {
			return AsyncExecution.start(work(request).refuseUncommitted(), this.executor, this.decorator, action);
		}
		catch (LockLostException | LockNotAcquiredException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	@Override
	public <T extends @Nullable Object> CompletableFuture<T> executeUntilComplete(LockRequest request,
			Function<Lease, ? extends CompletionStage<T>> action) {
		LockedWork work = work(request).refuseUncommitted().acquire();
		return new AsyncExecution<T>(work, Runnable::run).run(action);
	}

	private WorkRequest work(LockRequest request) {
		return ApartFromTransaction.applyTo(this.works.apply(request, CallSite.ofThread()));
	}

	/**
	 * Throws checked exceptions of a callback unchanged, so that they are not wrapped.
	 */
	@SuppressWarnings("unchecked")
	private static <E extends Throwable> E unchanged(Throwable failure) throws E {
		throw (E) failure;
	}

}

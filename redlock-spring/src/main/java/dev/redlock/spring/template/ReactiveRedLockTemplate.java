package dev.redlock.spring.template;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.spring.internal.lease.BoundLease;
import dev.redlock.spring.internal.lease.LeaseView;
import dev.redlock.spring.internal.work.CallSite;
import dev.redlock.spring.internal.work.ReactiveExecution;
import dev.redlock.spring.internal.work.WorkRequest;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Runs reactive callbacks under locks of a {@link Redlock}. The callback is the function
 * that is passed to {@link #execute} or {@link #executeMany}. A
 * {@code ReactiveRedLockTemplate} is thread-safe, and an application needs only one.
 * <p>
 * Each subscription takes its own lock, which is held until the callback's publisher
 * completes, fails or is cancelled. Cancelling the subscription ends the wait for the
 * lock, or cancels the callback's publisher. If the publisher ignores the cancellation,
 * its code runs on without the lock.
 * <p>
 * <strong>Threads.</strong> The callback is called on the scheduler of this template,
 * never on a thread for I/O. A callback that only re-enters outer locks is called on the
 * subscribing thread, unless it had to wait for an earlier nested call.
 * <p>
 * <strong>Nesting.</strong> A nested call acquires only names that its reactive flow has
 * not locked already. The lease is stored in the Reactor context, see
 * {@link ReactiveCurrentLease}. If blocking code under a lock subscribes, the lock is
 * held until both the blocking code and the callback have ended. Operators of the
 * callback's publisher find the lease only in the Reactor context, not in
 * {@link dev.redlock.CurrentLease}.
 * <p>
 * <strong>Transactions.</strong> Inside of a reactive transaction the lock is held until
 * the transaction has completed. Inside of a transaction, subscribe sequentially to calls
 * that lock the same name, as {@code concatMap} does. If {@code Flux.merge} subscribes to
 * two calls on one name, the second call may wait for the lock of its own transaction,
 * and fail.
 * <p>
 * <strong>Loss.</strong> By default, if the lock was lost, the returned publisher fails
 * when the callback's publisher has completed. If the lock was lost, a returned
 * {@code Mono} emits no value, while a returned {@code Flux} has emitted its values
 * already. With {@link dev.redlock.LossPolicy#INTERRUPT}, the loss cancels the callback's
 * publisher, and the returned publisher fails at once. If the callback's publisher fails,
 * its exception is emitted, with the {@code LockLostException} as a suppressed exception.
 */
public final class ReactiveRedLockTemplate {

	private final BiFunction<LockRequest, CallSite, WorkRequest> works;

	private final Scheduler scheduler;

	/**
	 * Creates a template that calls its callbacks on {@link Schedulers#parallel()}, the
	 * usual scheduler of reactive code.
	 */
	public ReactiveRedLockTemplate(Redlock redlock) {
		this(redlock, Schedulers.parallel());
	}

	/**
	 * Creates a template that calls its callbacks on a scheduler.
	 * @param scheduler calls the callbacks after their lock is acquired
	 */
	public ReactiveRedLockTemplate(Redlock redlock, Scheduler scheduler) {
		this((request, site) -> WorkRequest.locking(request, redlock, site), scheduler);
	}

	private ReactiveRedLockTemplate(BiFunction<LockRequest, CallSite, WorkRequest> works, Scheduler scheduler) {
		this.works = works;
		this.scheduler = scheduler;
	}

	/**
	 * Creates a template that takes its locks, or runs without them, as another one does.
	 */
	public ReactiveRedLockTemplate(RedLockTemplate other) {
		this(other.works, Schedulers.parallel());
	}

	/**
	 * Creates a template for tests that runs every callback at once and without a lock,
	 * like {@link RedLockOperations#withoutLocks()}.
	 * @return the template
	 */
	public static ReactiveRedLockTemplate withoutLocks() {
		return new ReactiveRedLockTemplate(WorkRequest::withoutLock, Schedulers.immediate());
	}

	/**
	 * Creates a template for callbacks that do not take part in the outer transaction.
	 * @return the template
	 */
	public ReactiveRedLockTemplate apartFromTransactions(boolean suspends) {
		return new ReactiveRedLockTemplate(this.works.andThen((work) -> work.releasingAtEnd(suspends)), this.scheduler);
	}

	/**
	 * Holds a lock even after the callback that took the lock has ended, until the
	 * returned action is run. If the returned action is never run, the lock ends with its
	 * ttl, or when renewal reaches its time limit.
	 * @param lease the lease that a template passed to the running callback
	 * @return an action that releases the lock, unless other calls still need the lock;
	 * running the action again does nothing
	 */
	public static Runnable keep(Lease lease) {
		CompletableFuture<Void> end = new CompletableFuture<>();
		LeaseView.bound(List.of(lease)).filter(BoundLease::addUse).forEach((kept) -> end.thenRun(kept::endUseAsync));
		return () -> end.complete(null);
	}

	/**
	 * Runs a reactive callback with at most one result under a lock. The result is
	 * emitted after the callback's {@code Mono} has completed and the release of the lock
	 * has been sent.
	 * @param <T> the type of the result
	 * @param request the names to lock, and the settings of the lock
	 * @param action the callback, which is called under the lock once per subscription
	 * @return emits the result of the callback; fails with
	 * {@link dev.redlock.LockNotAcquiredException} if the lock was not acquired, or with
	 * {@link dev.redlock.LockLostException} if the lock was lost
	 */
	public <T> Mono<T> execute(LockRequest request, Function<Lease, Mono<T>> action) {
		return executeMany(request, action).singleOrEmpty();
	}

	/**
	 * Runs a reactive callback with many results under a lock. Each result is emitted at
	 * once, while the lock is held.
	 * @param <T> the type of the results
	 * @param request the names to lock, and the settings of the lock
	 * @param action the callback, which is called under the lock once per subscription
	 * @return emits the results of the callback, or fails as {@link #execute} does
	 */
	public <T> Flux<T> executeMany(LockRequest request, Function<Lease, ? extends Publisher<T>> action) {
		return work(request)
			.flatMapMany((work) -> new ReactiveExecution(work.refuseUncommitted(), this.scheduler).run(action));
	}

	/**
	 * Acquires a lock that the subscriber must release. If a subscriber cancels before it
	 * gets the lease, no lock stays on the Redis nodes. The subscriber must close every
	 * emitted lease, even a lease that a later operator drops. Inside of a reactive
	 * transaction, the lock is released when the lease is closed and the transaction has
	 * completed. Prefer {@link #execute} or {@link #executeMany}, which release the lock
	 * themselves.
	 * @param request the names to lock, and the settings of the lock
	 * @return emits the lease, or fails with
	 * {@link dev.redlock.LockNotAcquiredException}. The lease also covers requested names
	 * that an outer call of the flow has locked, until the outer call releases them.
	 * Closing the lease does not release names of an outer call
	 */
	public Mono<Lease> acquire(LockRequest request) {
		return work(request).map((work) -> work.refuseUncommitted().acquiringOnly())
			.flatMap((work) -> new ReactiveExecution(work, this.scheduler).acquire());
	}

	private Mono<WorkRequest> work(LockRequest request) {
		return Mono.defer(() -> ReactiveExecution.callSite(CallSite.ofThread()))
			.map((site) -> this.works.apply(request, site));
	}

}

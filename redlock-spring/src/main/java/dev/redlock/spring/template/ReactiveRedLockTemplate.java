package dev.redlock.spring.template;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Runs reactive work under locks of a {@link Redlock}. A template is thread-safe, and an
 * application needs only one.
 * <p>
 * Nothing happens before a subscription, and each subscription takes its own lock. The
 * lock is held until the work completes, fails or is cancelled. No thread is blocked
 * meanwhile. Cancelling the subscription ends the wait for the lock, or cancels the work.
 * Work that cannot be cancelled runs on without the lock.
 * <p>
 * <strong>Threads.</strong> Work with a new lock is called and subscribed to on the
 * scheduler of this template, never on a thread for I/O. The scheduler also signals the
 * loss of a lock. All other signals stay on the thread on which the work emits them. Work
 * that re-enters a lock stays on the subscribing thread.
 * <p>
 * <strong>Nesting.</strong> Work acquires only names that its flow does not hold already,
 * and does not release the other names. The lease of the work covers exactly the names
 * that it requested. The lease is kept in the Reactor context, see
 * {@link ReactiveCurrentLease}. If blocking work under a lock subscribes, the reactive
 * work re-enters that lock, and the lease is kept until both are done. While the function
 * given to this template runs, the lease is also the {@link dev.redlock.CurrentLease} of
 * the thread. The operators of the publisher find the lease only in the Reactor context.
 * <p>
 * <strong>Transactions.</strong> Inside of a reactive transaction the lock is held until
 * the transaction has completed. Subscribe to calls on one name one after the other
 * there, as {@code concatMap} does. With {@code Flux.merge} the second call does not know
 * yet that its transaction gets the lock, and waits for the end of that transaction until
 * its time is over.
 * <p>
 * <strong>Loss.</strong> By default the loss of the lock fails the publisher once the
 * work has completed: a {@code Mono} emits no value in that case, and a {@code Flux} has
 * emitted its values before. With {@link dev.redlock.LossPolicy#INTERRUPT} the work is
 * cancelled and the publisher fails at once. If the work fails, its exception is emitted,
 * with the loss as suppressed.
 */
public final class ReactiveRedLockTemplate {

	private final BiFunction<LockRequest, CallSite, LockedWork> works;

	private final Scheduler scheduler;

	/**
	 * Creates a template that starts work on {@link Schedulers#parallel()}, the usual
	 * scheduler of reactive code.
	 * @param redlock the lock
	 */
	public ReactiveRedLockTemplate(Redlock redlock) {
		this(redlock, Schedulers.parallel());
	}

	/**
	 * Creates a template.
	 * @param redlock the lock
	 * @param scheduler starts the work once the lock is acquired
	 */
	public ReactiveRedLockTemplate(Redlock redlock, Scheduler scheduler) {
		this((request, site) -> LockedWork.reEntering(request, redlock, site), scheduler);
	}

	private ReactiveRedLockTemplate(BiFunction<LockRequest, CallSite, LockedWork> works, Scheduler scheduler) {
		this.works = works;
		this.scheduler = scheduler;
	}

	/**
	 * Creates a template that acquires no lock, because its work runs under a lease that
	 * this process holds already.
	 * @param redlock the lock that granted the lease
	 * @param resource the name that the lease covers, which replaces the names of
	 * requests
	 * @param lease returns the lease for a piece of work, or throws
	 * {@link dev.redlock.LockNotAcquiredException}
	 * @return the template
	 */
	public static ReactiveRedLockTemplate sharing(Redlock redlock, String resource, Supplier<SharedLease> lease) {
		List<String> names = List.of(resource);
		return new ReactiveRedLockTemplate(
				(request, site) -> LockedWork.sharing(request.withResources(names), redlock, lease, site),
				Schedulers.parallel());
	}

	/**
	 * Creates a template that grants every lock at once and excludes no other work, like
	 * {@link RedLockOperations#withoutLocks()}.
	 * @return the template
	 */
	public static ReactiveRedLockTemplate withoutLocks() {
		return new ReactiveRedLockTemplate(LockedWork::withoutLock, Schedulers.immediate());
	}

	/**
	 * Creates a template for work that does not take part in the outer transaction, like
	 * {@link RedLockTemplate#apartFromTransactions(boolean)}.
	 * @param suspends whether the work suspends that transaction
	 * @return the template
	 */
	public ReactiveRedLockTemplate apartFromTransactions(boolean suspends) {
		return new ReactiveRedLockTemplate(this.works.andThen((work) -> work.apart(suspends)), this.scheduler);
	}

	/**
	 * Keeps a lock after the work that took it has ended. If the returned action is never
	 * run, the lock ends with its ttl, or at the limit of its renewal.
	 * @param lease the lease that a template passed to the running work
	 * @return releases the lock, unless other work still needs it; further calls do
	 * nothing
	 */
	public static Runnable keep(Lease lease) {
		CompletableFuture<Void> end = new CompletableFuture<>();
		LeaseView.bound(List.of(lease)).filter(BoundLease::retain).forEach((kept) -> end.thenRun(kept::doneAsync));
		return () -> end.complete(null);
	}

	/**
	 * Runs work with at most one result under a lock. The result is emitted after the
	 * work has completed and the release has been sent.
	 * @param <T> the type of the result
	 * @param request what to lock, and how
	 * @param action makes the work, once per subscription and under the lock
	 * @return emits the results of the work; fails with
	 * {@link dev.redlock.LockNotAcquiredException} if the lock was not acquired and the
	 * work did not run, and with {@link dev.redlock.LockLostException} if the lock was
	 * lost
	 */
	public <T> Mono<T> execute(LockRequest request, Function<Lease, Mono<T>> action) {
		return executeMany(request, action).singleOrEmpty();
	}

	/**
	 * Runs work with many results under a lock. Each result is emitted at once.
	 * @param <T> the type of the results
	 * @param request what to lock, and how
	 * @param action makes the work, once per subscription and under the lock
	 * @return emits the results of the work; fails with
	 * {@link dev.redlock.LockNotAcquiredException} if the lock was not acquired and the
	 * work did not run, and with {@link dev.redlock.LockLostException} if the lock was
	 * lost
	 */
	public <T> Flux<T> executeMany(LockRequest request, Function<Lease, ? extends Publisher<T>> action) {
		return work(request).flatMapMany(
				(work) -> new ReactiveExecution(work.outsideOfTransaction().entering(), this.scheduler).run(action));
	}

	/**
	 * Acquires a lock that the subscriber releases. A subscriber that cancels before it
	 * gets the lease leaves nothing behind. A subscriber that has received the lease must
	 * close it, even where an operator drops it. Prefer {@link #execute} or
	 * {@link #executeMany}.
	 * @param request what to lock, and how
	 * @return emits the lease, or fails with
	 * {@link dev.redlock.LockNotAcquiredException}. The lease also covers names that the
	 * flow held already. Closing the lease does not release these names, and the lease is
	 * valid only until they are released. The lease does not exclude other work inside of
	 * the same lock, which may run meanwhile
	 */
	public Mono<Lease> acquire(LockRequest request) {
		return work(request).flatMap((work) -> work.needsLock()
				? ReactiveExecution.emit(work, work.acquireAsync(), this.scheduler, LockedWork::handOver)
				: Mono.just(work.lease()));
	}

	private Mono<LockedWork> work(LockRequest request) {
		return Mono.defer(() -> ReactiveCurrentLease.callSite(CallSite.ofThread()))
			.map((site) -> this.works.apply(request, site));
	}

}

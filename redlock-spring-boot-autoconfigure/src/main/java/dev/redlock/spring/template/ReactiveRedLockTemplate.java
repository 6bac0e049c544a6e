package dev.redlock.spring.template;

import java.util.List;
import java.util.function.Function;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * Locks around reactive work, over a {@link Redlock}. Thread-safe; one is enough.
 * <p>
 * Nothing happens before somebody subscribes, and each subscription takes the lock for
 * itself. It is held until the work completes, fails or is cancelled; no thread is
 * blocked while it is waited for or held. Cancelling gives up waiting, or cancels the
 * work; what the work cannot stop runs on without the lock.
 * <p>
 * <strong>Threads.</strong> Once the lock is there the subscriber goes on, and the work
 * is called and subscribed to, on the scheduler of this template: never on a thread for
 * I/O. So it does when it is told of a loss. Otherwise signals pass on the thread that
 * the work emits them on. Work that re-enters stays on the thread that subscribes.
 * <p>
 * <strong>Nesting.</strong> Work that needs only what its flow holds already runs under
 * the lease that is there, and does not release it: the lease is kept in the Reactor
 * context, see {@link ReactiveCurrentLease}. The same holds for a subscription from
 * within blocking work under a lock, whose lease is kept until both are done. While the
 * function given to this template runs, and no longer, the lease is also the
 * {@link CurrentLease} of its thread; the operators of the publisher that it returns have
 * theirs in the context alone.
 * <p>
 * <strong>Loss.</strong> By default the loss of the lock fails the publisher once the
 * work has completed: a {@code Mono} then emits no value, a {@code Flux} has emitted
 * some. With {@link dev.redlock.LossPolicy#INTERRUPT} the work is cancelled and the
 * publisher fails at once. An exception of the work wins, and carries the loss as
 * suppressed.
 */
public final class ReactiveRedLockTemplate {

	private final Redlock redlock;

	private final Scheduler scheduler;

	/**
	 * Creates a template that goes on, once it has a lock, on
	 * {@link Schedulers#parallel()}, where reactive code usually runs.
	 * @param redlock the lock
	 */
	public ReactiveRedLockTemplate(Redlock redlock) {
		this(redlock, Schedulers.parallel());
	}

	/**
	 * Creates a template.
	 * @param redlock the lock
	 * @param scheduler where work goes on once it has a lock
	 */
	public ReactiveRedLockTemplate(Redlock redlock, Scheduler scheduler) {
		this.redlock = redlock;
		this.scheduler = scheduler;
	}

	/**
	 * Runs work with at most one result under a lock. The result is emitted after the
	 * work has completed and the release is on its way.
	 * @param <T> the type of the result
	 * @param request what to lock, and how
	 * @param action makes the work, once per subscription and under the lock
	 * @return emits what the work emits; fails with
	 * {@link dev.redlock.LockNotAcquiredException} if the lock was not acquired and the
	 * work did not run, and with {@link dev.redlock.LockLostException} if it was lost
	 */
	public <T> Mono<T> execute(LockRequest request, Function<Lease, Mono<T>> action) {
		return Mono.deferContextual((context) -> ReactiveTransactions.leases(this.redlock)
			.flatMap((kept) -> execution(request, context, kept).one(action)));
	}

	/**
	 * Runs work with many results under a lock. They are emitted as they come.
	 * @param <T> the type of the results
	 * @param request what to lock, and how
	 * @param action makes the work, once per subscription and under the lock
	 * @return emits what the work emits; fails with
	 * {@link dev.redlock.LockNotAcquiredException} if the lock was not acquired and the
	 * work did not run, and with {@link dev.redlock.LockLostException} if it was lost
	 */
	public <T> Flux<T> executeMany(LockRequest request, Function<Lease, ? extends Publisher<T>> action) {
		return Flux.deferContextual((context) -> ReactiveTransactions.leases(this.redlock)
			.flatMapMany((kept) -> execution(request, context, kept).many(action)));
	}

	/**
	 * Acquires a lock that the subscriber releases. A subscriber that cancels before it
	 * gets the lease leaves nothing behind; from then on the lease is its own, also where
	 * an operator drops it. Prefer {@link #execute} or {@link #executeMany}.
	 * @param request what to lock, and how
	 * @return emits the lease, or fails with
	 * {@link dev.redlock.LockNotAcquiredException}; what the flow held already is not
	 * part of the lease, or not released by it
	 */
	public Mono<Lease> acquire(LockRequest request) {
		return Mono.deferContextual((context) -> ReactiveTransactions.leases(this.redlock).flatMap((kept) -> {
			Coverage coverage = coverage(request, context, kept);
			return coverage.isComplete() ? Mono.just(coverage.view())
					: new ReactiveAcquisition(this.redlock, this.scheduler, () -> {
					}).ask(coverage.rest(request));
		}));
	}

	private ReactiveExecution execution(LockRequest request, ContextView context, List<BoundLease> kept) {
		return new ReactiveExecution(this.redlock, this.scheduler, request,
				coverage(request, context, kept).retained(request));
	}

	/**
	 * What the flow works under, what its transaction keeps, or what the thread works
	 * under that subscribes.
	 */
	private Coverage coverage(LockRequest request, ContextView context, List<BoundLease> kept) {
		return Coverage.of(request, this.redlock,
				(resource) -> LeaseChain.find(context, resource)
					.or(() -> kept.stream()
						.filter((lease) -> lease.resources().contains(resource))
						.<Lease>map((lease) -> lease)
						.findFirst())
					.or(() -> CurrentLease.forResource(resource)));
	}

}

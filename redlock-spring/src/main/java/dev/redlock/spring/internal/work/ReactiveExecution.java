package dev.redlock.spring.internal.work;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LossReason;
import dev.redlock.spring.internal.lease.BoundLease;
import dev.redlock.spring.internal.lease.ContextLeases;
import dev.redlock.spring.internal.lease.GrantedLease;
import dev.redlock.spring.internal.lease.LeaseView;
import dev.redlock.spring.internal.transaction.LeasesHeldByTransaction;
import dev.redlock.spring.internal.transaction.ObservedContext;
import dev.redlock.spring.internal.transaction.OpenTransaction;
import dev.redlock.spring.internal.transaction.ReactiveTransactionHold;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * Runs a reactive callback for one subscription, and holds the lock until the callback's
 * publisher completes, fails or is cancelled.
 */
public final class ReactiveExecution {

	private final WorkRequest request;

	private final Scheduler scheduler;

	/**
	 * Completes when the subscriber cancels or fails before it has the lease.
	 */
	private final CompletableFuture<Void> givenUp = new CompletableFuture<>();

	/**
	 * The exception that is signalled in place of a result because the lock was lost;
	 * null for no loss.
	 */
	private volatile @Nullable LockLostException loss;

	public ReactiveExecution(WorkRequest request, Scheduler scheduler) {
		this.request = request;
		this.scheduler = scheduler;
	}

	/**
	 * Returns what surrounds a subscriber: the leases and the transaction of its Reactor
	 * context, and those of its thread.
	 */
	public static Mono<CallSite> callSite(CallSite thread) {
		return Mono.deferContextual((context) -> {
			List<Lease> flow = ContextLeases.all(context);
			List<Lease> current = Stream.concat(flow.stream(), thread.current().stream()).distinct().toList();
			CallSite outside = new CallSite(current, new OpenTransaction(thread.heldByTx(), false, false), List.of());
			return LeasesHeldByTransaction.SPRING_TX_PRESENT ? ReactiveTransactionHold.current()
				.map((transaction) -> new CallSite(current, transaction.with(thread.heldByTx()),
						difference(thread.current(), flow)))
				.defaultIfEmpty(outside) : Mono.just(outside);
		});
	}

	private static List<GrantedLease> difference(List<Lease> leases, List<Lease> others) {
		List<GrantedLease> known = LeaseView.bound(others).map(BoundLease::granted).toList();
		return LeaseView.bound(leases).map(BoundLease::granted).filter((lease) -> !known.contains(lease)).toList();
	}

	public static Context observeTransactions(Context context) {
		return LeasesHeldByTransaction.SPRING_TX_PRESENT ? ObservedContext.of(context) : context;
	}

	public <T> Flux<T> run(Function<Lease, ? extends Publisher<T>> action) {
		return Flux
			.usingWhen(Mono.defer(() -> givingUp(acquired())), (work) -> call(action, work), this::completed,
					this::failed, this::release)
			.onErrorMap(this::unwrapped);
	}

	/**
	 * Acquires a lease that the subscriber must close. An open transaction keeps the
	 * lease before the subscriber gets it.
	 */
	public Mono<Lease> acquire() {
		return givingUp(
				acquired().delayUntil(ReactiveExecution::keep).mapNotNull(LockedWork::keptLeaseUnlessCancelled));
	}

	private static Mono<Void> keep(LockedWork work) {
		List<GrantedLease> leases = work.keptByTransaction();
		return leases.isEmpty() ? Mono.empty() : ReactiveTransactionHold.keep(leases, work.onLoss());
	}

	/**
	 * The scheduler runs the subscriber, because the subscriber may block, and the
	 * threads that tell of a lock must not. A call that waits for nothing goes on at
	 * once.
	 */
	private Mono<LockedWork> acquired() {
		CompletableFuture<LockedWork> acquired = this.request.acquireAsync(this.givenUp);
		boolean waits = this.request.needsLock() || !acquired.isDone() || acquired.isCompletedExceptionally();
		// Reactor cancels the copy only, because a cancelled stage does not run its
		// actions.
		return waits ? Mono.fromFuture(acquired.copy()).publishOn(this.scheduler) : Mono.just(acquired.join());
	}

	/**
	 * If the subscriber cancels before it has the lease, the wait for the lock ends.
	 */
	private <T> Mono<T> givingUp(Mono<T> acquired) {
		return acquired.doOnError((failure) -> this.givenUp.complete(null))
			// With doOnCancel, the future named acquired would fail before Reactor
			// cancels the future, and Reactor would log an error.
			.doFinally((signal) -> {
				if (signal == SignalType.CANCEL) {
					this.givenUp.complete(null);
				}
			})
			// Without onErrorStop(), an onErrorContinue of the caller would swallow the
			// exception of a lock that was not acquired.
			.onErrorStop();
	}

	private <T> Flux<T> call(Function<Lease, ? extends Publisher<T>> action, LockedWork work) {
		try {
			if (!work.begin()) {
				return Flux.empty();
			}
		}
		catch (LockLostException lost) {
			this.loss = lost;
			return this.<T>failOnLoss().flux();
		}
		if (work.mayHaveCommitted()) {
			// Spring does not report commits inside of a reactive flow, so all writes
			// under the leases count as committed.
			work.leases().forEach(BoundLease::markCommitted);
		}
		return keep(work).thenMany(Flux.defer(() -> published(action, work)));
	}

	private <T> Flux<T> published(Function<Lease, ? extends Publisher<T>> action, LockedWork work) {
		Lease lease = work.lease();
		Flux<T> published;
		CurrentLease scope = work.bindToThread(lease);
		try {
			published = Flux.from(Objects.requireNonNull(action.apply(lease),
					"The function that ran under the lock returned null instead of a publisher"));
		}
		catch (Throwable ex) {
			// Reactor would throw some errors to the subscriber, past the release.
			published = Flux.error(ex);
		}
		finally {
			scope.close();
		}
		if (work.isInterruptedOnLoss()) {
			published = published.takeUntilOther(lost(lease, work)).concatWith(failOnLoss());
		}
		return published.contextWrite((context) -> observeTransactions(
				ContextLeases.push(context, work.leasesForThread(lease, ContextLeases.all(context)))));
	}

	/**
	 * Emits a value when the lease is lost, so that {@code takeUntilOther} cancels the
	 * callback's publisher.
	 */
	private Mono<LossReason> lost(Lease lease, LockedWork work) {
		return Mono.fromFuture(() -> lease.lost().toCompletableFuture())
			.publishOn(this.scheduler)
			.doOnNext((reason) -> this.loss = work.lossOf(lease, reason, work.mayHaveCommitted()));
	}

	private <T> Mono<T> failOnLoss() {
		return Mono.defer(() -> {
			LockLostException lost = this.loss;
			return (lost != null) ? Mono.error(lost) : Mono.empty();
		});
	}

	private Mono<Void> completed(LockedWork work) {
		work.loss(work.mayHaveCommitted()).ifPresent((lost) -> this.loss = lost);
		return release(work).then(failOnLoss());
	}

	private Mono<Void> failed(LockedWork work, Throwable failure) {
		if (failure != this.loss) {
			work.loss(false).ifPresent(failure::addSuppressed);
		}
		return release(work);
	}

	private Mono<Void> release(LockedWork work) {
		CompletableFuture<?> released = work.releaseAsync();
		return released.isDone() ? Mono.empty() : Mono.fromFuture(released, true).publishOn(this.scheduler).then();
	}

	/**
	 * Removes Reactor's wrapper from the exception of a lost lock.
	 */
	private Throwable unwrapped(Throwable failure) {
		LockLostException lost = this.loss;
		return (lost != null && failure.getCause() == lost) ? lost : failure;
	}

}

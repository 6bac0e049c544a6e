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

	private final LockedWork work;

	private final Scheduler scheduler;

	/**
	 * The exception that is signalled in place of a result because the lock was lost;
	 * null for no loss.
	 */
	private volatile @Nullable LockLostException loss;

	public ReactiveExecution(LockedWork work, Scheduler scheduler) {
		this.work = work;
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
			.usingWhen(Mono.defer(this::lease), (lease) -> call(action, lease), (lease) -> completed(),
					(lease, failure) -> failed(failure), (lease) -> release())
			.onErrorMap(this::unwrapped);
	}

	/**
	 * Acquires a lease that the subscriber must close. An open transaction keeps the
	 * lease before the subscriber gets it.
	 */
	public Mono<Lease> acquire() {
		return this.work.needsLock()
				? emit(acquired(this.work.acquireAsync()).delayUntil(this::keep), LockedWork::leaseUnlessCancelled)
				: keep(this.work).then(Mono.fromSupplier(() -> this.work.leaseToClose(this.work.takenInTransaction())));
	}

	private Mono<Void> keep(LockedWork work) {
		List<GrantedLease> taken = work.takenInTransaction();
		return taken.isEmpty() ? Mono.empty() : ReactiveTransactionHold.keep(taken, work.onLoss());
	}

	private Mono<Lease> lease() {
		boolean enters = !this.work.needsLock();
		CompletableFuture<LockedWork> acquired = this.work.acquireAsync();
		return (enters && acquired.isDone() && !acquired.isCompletedExceptionally()) ? Mono.just(this.work.lease())
				: emit(acquired(acquired), LockedWork::lease);
	}

	/**
	 * The scheduler runs the subscriber, because the lock may be acquired on a thread for
	 * I/O or timers.
	 */
	private Mono<LockedWork> acquired(CompletableFuture<LockedWork> acquired) {
		return Mono.fromFuture(acquired).publishOn(this.scheduler);
	}

	/**
	 * If the subscriber cancels before it has the lease, the wait for the lock ends.
	 */
	private Mono<Lease> emit(Mono<LockedWork> acquired, Function<LockedWork, @Nullable Lease> lease) {
		return acquired.mapNotNull(lease)
			.doOnError((failure) -> this.work.cancelUnlessBegun())
			// With doOnCancel, the future named acquired would fail before Reactor
			// cancels the future, and Reactor would log an error.
			.doFinally((signal) -> {
				if (signal == SignalType.CANCEL) {
					this.work.cancelUnlessBegun();
				}
			})
			// Without onErrorStop(), an onErrorContinue of the caller would swallow the
			// exception of a lock that was not acquired.
			.onErrorStop();
	}

	private <T> Flux<T> call(Function<Lease, ? extends Publisher<T>> action, Lease lease) {
		try {
			if (!this.work.begin()) {
				return Flux.empty();
			}
		}
		catch (LockLostException lost) {
			this.loss = lost;
			return this.<T>failOnLoss().flux();
		}
		if (this.work.mayHaveCommitted()) {
			// Spring does not report commits inside of a reactive flow, so all writes
			// under the leases count as committed.
			this.work.leases().forEach(BoundLease::markCommitted);
		}
		return this.work.isHeldByTransaction() ? ReactiveTransactionHold.keep(this.work.granted(), this.work.onLoss())
			.thenMany(Flux.defer(() -> published(action, lease))) : published(action, lease);
	}

	private <T> Flux<T> published(Function<Lease, ? extends Publisher<T>> action, Lease lease) {
		Flux<T> published;
		CurrentLease scope = this.work.bindToThread(lease);
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
		if (this.work.isInterruptedOnLoss()) {
			published = published.takeUntilOther(lost(lease)).concatWith(failOnLoss());
		}
		return published.contextWrite((context) -> observeTransactions(
				ContextLeases.push(context, this.work.leasesForThread(lease, ContextLeases.all(context)))));
	}

	/**
	 * Emits a value when the lease is lost, so that {@code takeUntilOther} cancels the
	 * callback's publisher.
	 */
	private Mono<LossReason> lost(Lease lease) {
		return Mono.fromFuture(() -> lease.lost().toCompletableFuture())
			.publishOn(this.scheduler)
			.doOnNext((reason) -> this.loss = this.work.lossOf(lease, reason, this.work.mayHaveCommitted()));
	}

	private <T> Mono<T> failOnLoss() {
		return Mono.defer(() -> {
			LockLostException lost = this.loss;
			return (lost != null) ? Mono.error(lost) : Mono.empty();
		});
	}

	private Mono<Void> completed() {
		this.work.loss(this.work.mayHaveCommitted()).ifPresent((lost) -> this.loss = lost);
		return release().then(failOnLoss());
	}

	private Mono<Void> failed(Throwable failure) {
		if (failure != this.loss) {
			this.work.loss(false).ifPresent(failure::addSuppressed);
		}
		return release();
	}

	private Mono<Void> release() {
		CompletableFuture<?> released = this.work.releaseAsync();
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

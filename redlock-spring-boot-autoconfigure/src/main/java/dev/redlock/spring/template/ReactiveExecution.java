package dev.redlock.spring.template;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.LossPolicy;
import dev.redlock.LossReason;
import dev.redlock.Redlock;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * One subscription to work under a lock: acquire, subscribe to the work, release when it
 * completes, fails or is cancelled.
 */
final class ReactiveExecution {

	private final Redlock redlock;

	private final Scheduler scheduler;

	private final LockRequest request;

	private final Coverage coverage;

	private final WorkLeases leases;

	private final AtomicBoolean ended = new AtomicBoolean();

	private volatile @Nullable BoundLease own;

	/**
	 * The loss that the subscriber hears of in place of a result.
	 */
	private volatile @Nullable LockLostException told;

	/**
	 * @param coverage what the work holds already, retained for it
	 */
	ReactiveExecution(Redlock redlock, Scheduler scheduler, LockRequest request, Coverage coverage) {
		this.redlock = redlock;
		this.scheduler = scheduler;
		this.request = request;
		this.coverage = coverage;
		this.leases = new WorkLeases(coverage.outer());
	}

	<T> Mono<T> one(Function<Lease, Mono<T>> action) {
		return Mono.usingWhen(lease(), (lease) -> {
			Mono<T> work = call(action, lease);
			return (interruptible() ? work.takeUntilOther(loss(lease)).switchIfEmpty(interrupted()) : work)
				.contextWrite(this::write);
		}, (lease) -> end(null), (lease, failure) -> end(failure), (lease) -> cancelled()).onErrorMap(this::unwrapped);
	}

	<T> Flux<T> many(Function<Lease, ? extends Publisher<T>> action) {
		return Flux.usingWhen(lease(), (lease) -> {
			Flux<T> work = Flux.from(call(action, lease));
			return (interruptible() ? work.takeUntilOther(loss(lease)).concatWith(interrupted()) : work)
				.contextWrite(this::write);
		}, (lease) -> end(null), (lease, failure) -> end(failure), (lease) -> cancelled()).onErrorMap(this::unwrapped);
	}

	private Mono<Lease> lease() {
		if (this.coverage.isComplete()) {
			return Mono.just(this.coverage.view());
		}
		return new ReactiveAcquisition(this.redlock, this.scheduler, this::notAcquired)
			.ask(this.coverage.rest(this.request))
			.map(this::own);
	}

	private Lease own(Lease lease) {
		BoundLease bound = new BoundLease(this.redlock, lease);
		this.leases.add(bound);
		this.own = bound;
		return bound;
	}

	private <P> P call(Function<Lease, ? extends P> action, Lease lease) {
		return this.leases
			.call(() -> Objects.requireNonNull(action.apply(lease), "The work under the lock returned no publisher"));
	}

	private Context write(Context context) {
		Context written = context;
		for (BoundLease lease : this.leases.list()) {
			written = LeaseChain.push(written, lease);
		}
		return written;
	}

	private boolean interruptible() {
		return this.request.onLoss() == LossPolicy.INTERRUPT;
	}

	/**
	 * Emits when the lease is lost. A value, since an error would neither cancel the work
	 * nor, when nobody listens any more, be dropped in silence.
	 */
	private Mono<LossReason> loss(Lease lease) {
		// The stage itself cannot be cancelled, and throws at the attempt.
		return Mono.fromFuture(() -> lease.lost().toCompletableFuture(), true)
			.publishOn(this.scheduler)
			.doOnNext((reason) -> this.told = new LockLostException(lease.resources(), reason));
	}

	private <T> Mono<T> interrupted() {
		return Mono.defer(() -> {
			LockLostException loss = this.told;
			return (loss != null) ? Mono.error(loss) : Mono.empty();
		});
	}

	/**
	 * Releases, and fails with the loss if there is one to tell of.
	 */
	private Mono<Void> end(@Nullable Throwable failure) {
		if (!this.ended.compareAndSet(false, true)) {
			return Mono.empty();
		}
		if (failure == null || failure != this.told) {
			Throwable outcome = this.leases.outcome(failure, this.request.onLoss());
			this.told = (failure == null && outcome instanceof LockLostException loss) ? loss : null;
		}
		// A failure of the work goes on by itself.
		Mono<Void> answer = (failure == null) ? interrupted() : Mono.empty();
		return leaveToTransaction().then(Mono.defer(() -> {
			CompletableFuture<?> released = this.leases.release();
			return this.redlock.settings().awaitRelease()
					? Mono.fromFuture(released, true).publishOn(this.scheduler).then(answer) : answer;
		}));
	}

	/**
	 * A transaction that is open around this work keeps the lease until it has completed.
	 */
	private Mono<Void> leaveToTransaction() {
		BoundLease lease = this.own;
		if (lease == null) {
			return Mono.empty();
		}
		return ReactiveTransactions.keep(lease, this.request.onLoss()).doOnNext((kept) -> {
			if (kept) {
				this.leases.remove(lease);
			}
		}).then();
	}

	/**
	 * What fails while resources are cleaned up is wrapped by Reactor.
	 */
	private Throwable unwrapped(Throwable failure) {
		LockLostException loss = this.told;
		return (loss != null && failure.getCause() == loss) ? loss : failure;
	}

	/**
	 * What was retained for the work is not needed: there will be none.
	 */
	private void notAcquired() {
		if (this.ended.compareAndSet(false, true)) {
			this.leases.release();
		}
	}

	private Mono<Void> cancelled() {
		if (!this.ended.compareAndSet(false, true)) {
			return Mono.empty();
		}
		return leaveToTransaction().then(Mono.fromRunnable(this.leases::release));
	}

}

package dev.redlock.spring.template;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SynchronousSink;
import reactor.core.scheduler.Scheduler;

/**
 * Asks for a lock on behalf of one subscriber. The lease is either handed to the
 * subscriber or given back, whatever the moment of a cancellation.
 */
final class ReactiveAcquisition {

	private final Redlock redlock;

	private final Scheduler scheduler;

	private final Runnable onGivenUp;

	/**
	 * Whether it is decided who answers for the lease.
	 */
	private final AtomicBoolean decided = new AtomicBoolean();

	private volatile boolean givenUp;

	private volatile @Nullable Lease won;

	/**
	 * @param redlock the lock
	 * @param scheduler where the subscriber is told
	 * @param onGivenUp called at most once, and only if the subscriber gets no lease
	 */
	ReactiveAcquisition(Redlock redlock, Scheduler scheduler, Runnable onGivenUp) {
		this.redlock = redlock;
		this.scheduler = scheduler;
		this.onGivenUp = onGivenUp;
	}

	/**
	 * Asks. To be subscribed to once.
	 */
	Mono<Lease> ask(LockRequest request) {
		// An attempt completes on a thread that is there to tell of losses, or, when
		// there are too many, on the thread for I/O or timers: no place for what
		// subscribers do.
		return Mono.fromFuture(() -> attempt(request))
			.publishOn(this.scheduler)
			.handle(this::hand)
			.doOnError((failure) -> giveUp())
			.doOnCancel(this::giveUp);
	}

	private CompletableFuture<LockAttempt> attempt(LockRequest request) {
		CompletableFuture<LockAttempt> attempt = this.redlock.attempt(request).toCompletableFuture();
		attempt.thenAccept((ended) -> ended.lease().ifPresent(this::won));
		return attempt;
	}

	/**
	 * The lease is there, and may have to pass through a queue on its way.
	 */
	private void won(Lease lease) {
		this.won = lease;
		if (this.givenUp) {
			lease.releaseAsync();
		}
	}

	private void hand(LockAttempt attempt, SynchronousSink<Lease> sink) {
		Lease lease = attempt.lease().orElse(null);
		if (lease == null) {
			sink.error(attempt.failure().orElseThrow());
		}
		else if (this.decided.compareAndSet(false, true)) {
			sink.next(lease);
		}
	}

	private void giveUp() {
		if (!this.decided.compareAndSet(false, true)) {
			return;
		}
		this.givenUp = true;
		Lease late = this.won;
		if (late != null) {
			late.releaseAsync();
		}
		this.onGivenUp.run();
	}

}

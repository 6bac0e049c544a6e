package dev.redlock.spring.template;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.internal.Engine;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SynchronousSink;
import reactor.core.scheduler.Scheduler;

/**
 * Asks for a lock for one subscriber. The lease is either handed to the subscriber or
 * released, even if the subscriber cancels at the same moment.
 */
final class ReactiveAcquisition {

	private final CompletableFuture<LockAttempt> attempt;

	private final Runnable onGivenUp;

	private final AtomicBoolean decided = new AtomicBoolean();

	private ReactiveAcquisition(CompletableFuture<LockAttempt> attempt, Runnable onGivenUp) {
		this.attempt = attempt;
		this.onGivenUp = onGivenUp;
	}

	/**
	 * Asks for the resources that the work is missing.
	 * @param scheduler gives the lease to the subscriber, because the attempt may
	 * complete on a thread for I/O or timers, where subscribers must not run
	 * @param onGivenUp called at most once, and only if the subscriber gets no lease
	 */
	static Mono<Lease> of(LockedWork work, Scheduler scheduler, Runnable onGivenUp) {
		return Mono.defer(() -> {
			ReactiveAcquisition acquisition = new ReactiveAcquisition(attempt(work), onGivenUp);
			return Mono.fromFuture(acquisition.attempt)
				.publishOn(scheduler)
				.handle(acquisition::hand)
				.doOnError((failure) -> acquisition.giveUp())
				.doOnCancel(acquisition::giveUp)
				// Otherwise onErrorContinue of the caller would swallow the refusal here.
				.onErrorStop();
		});
	}

	private static CompletableFuture<LockAttempt> attempt(LockedWork work) {
		try {
			return work.redlock().attempt(work.missing()).toCompletableFuture();
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private void hand(LockAttempt ended, SynchronousSink<Lease> sink) {
		Lease lease = ended.lease().orElse(null);
		if (lease == null) {
			sink.error(ended.failure().orElseThrow());
		}
		else if (this.decided.compareAndSet(false, true)) {
			sink.next(lease);
		}
	}

	private void giveUp() {
		if (this.decided.compareAndSet(false, true)) {
			this.attempt.thenAccept((ended) -> ended.lease().ifPresent(Engine::releaseUnused));
			this.onGivenUp.run();
		}
	}

}

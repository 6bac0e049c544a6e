package dev.redlock.internal;

import java.time.Duration;

import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException.Reason;

/**
 * The blocking wait of a caller for the outcome of its request.
 */
final class BlockingAttempt {

	/**
	 * The longest time that a thread waits for the event loop after it gave up its
	 * request.
	 */
	private static final Duration LAST_ANSWER = Duration.ofSeconds(1);

	private BlockingAttempt() {
	}

	/**
	 * Blocks until the request has ended. An interrupt ends the request, and the
	 * interrupt flag is set again.
	 */
	static LockAttempt until(PendingAttempt pending) {
		if (Waiting.upTo(pending.bound(), pending.outcome())) {
			return pending.outcome().join();
		}
		boolean interrupted = Thread.interrupted();
		try {
			return giveUp(pending, interrupted ? Reason.INTERRUPTED : Reason.TIMED_OUT);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Ends the request. If the request gets a lease at the same moment, the lease is
	 * released.
	 */
	private static LockAttempt giveUp(PendingAttempt pending, Reason reason) {
		pending.giveUp(reason);
		Waiting.upTo(LAST_ANSWER, pending.outcome());
		pending.outcome().complete(pending.unanswered(reason));
		LockAttempt ended = pending.outcome().join();
		if (ended.lease().isEmpty()) {
			return ended;
		}
		Engine.releaseUnused(ended.lease().get());
		// The nodes have marked the tick of the lease.
		Reason told = pending.plan().marksTickFirst() ? Reason.TICK_LOST : reason;
		return LockAttempt.failed(pending.plan().resources(), told, ended.votes(), ended.tries(), ended.waited());
	}

}

package dev.redlock;

import java.time.Duration;

import dev.redlock.LockNotAcquiredException.Reason;

/**
 * Blocks the thread of a caller for the time of its request.
 */
final class BlockingAttempt {

	/** The loop answers within microseconds unless it stands still. */
	private static final Duration LAST_ANSWER = Duration.ofSeconds(1);

	private BlockingAttempt() {
	}

	/**
	 * Blocks until the request has ended. An interrupt ends it; the flag is set again.
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
	 * Ends the request, and releases a lease that it won in the same instant.
	 */
	private static LockAttempt giveUp(PendingAttempt pending, Reason reason) {
		pending.giveUp(reason);
		Waiting.upTo(LAST_ANSWER, pending.outcome());
		pending.outcome().complete(pending.unanswered(reason));
		LockAttempt ended = pending.outcome().join();
		if (ended.lease().isEmpty()) {
			return ended;
		}
		ended.lease().get().releaseAsync();
		return LockAttempt.failed(pending.plan().resources(), reason, ended.votes(), ended.tries(), ended.waited());
	}

}

package dev.redlock.internal.request;

import java.time.Duration;

import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.internal.lease.HeldLease;
import dev.redlock.internal.waiting.Waiting;

/**
 * Blocks the calling thread until its request for a lock has an outcome.
 */
public final class BlockingAttempt {

	private static final Duration LONGEST_WAIT_FOR_LOOP = Duration.ofSeconds(1);

	private BlockingAttempt() {
	}

	public static LockAttempt until(PendingAttempt pending) {
		Duration longest = pending.deadline().longestUntilOutcome();
		if (Waiting.upTo(longest, pending.outcome()) || getsTryAfterPause(pending, longest)) {
			return pending.outcome().join();
		}
		boolean interrupted = Thread.interrupted();
		try {
			return endWithoutLease(pending, interrupted ? Reason.INTERRUPTED : Reason.TIMED_OUT);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * After a pause of this process, the thread may be back before the event loop, which
	 * gives each request one more try.
	 */
	private static boolean getsTryAfterPause(PendingAttempt pending, Duration longest) {
		return !Thread.currentThread().isInterrupted() && pending.deadline().wasOverslept(longest)
				&& Waiting.upTo(pending.deadline().longestLastTry(), pending.outcome());
	}

	private static LockAttempt endWithoutLease(PendingAttempt pending, Reason reason) {
		pending.cancel(reason);
		Waiting.upTo(LONGEST_WAIT_FOR_LOOP, pending.outcome());
		pending.outcome().complete(pending.unanswered(reason));
		LockAttempt ended = pending.outcome().join();
		if (ended.lease().isEmpty()) {
			return ended;
		}
		((HeldLease) ended.lease().get()).releaseUnused();
		// The nodes have already marked the job as run for its due time, so no process
		// will run it.
		Reason told = pending.plan().marksTickFirst() ? Reason.TICK_LOST : reason;
		return LockAttempt.failed(pending.plan().resources(), told, ended.votes(), ended.tries(), ended.waited());
	}

}

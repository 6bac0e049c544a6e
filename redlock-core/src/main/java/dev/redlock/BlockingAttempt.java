package dev.redlock;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.redlock.LockNotAcquiredException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Blocks the thread of a caller for the time of its request.
 */
final class BlockingAttempt {

	/** The loop answers within microseconds unless it stands still. */
	private static final Duration LAST_ANSWER = Duration.ofSeconds(1);

	private BlockingAttempt() {
	}

	/**
	 * Blocks until the request has ended.
	 */
	static LockAttempt until(PendingAttempt pending) {
		try {
			return pending.outcome().get(pending.bound().toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			try {
				return giveUp(pending, Reason.INTERRUPTED);
			}
			finally {
				Thread.currentThread().interrupt();
			}
		}
		catch (TimeoutException ex) {
			return giveUp(pending, Reason.TIMED_OUT);
		}
		catch (ExecutionException ex) {
			throw Waiting.failed(ex);
		}
	}

	/**
	 * Ends the request; a lease that was won in the same instant is released.
	 */
	private static LockAttempt giveUp(PendingAttempt pending, Reason reason) {
		pending.giveUp(reason);
		LockAttempt ended = lastAnswer(pending);
		if (ended == null) {
			pending.outcome().complete(pending.unanswered(reason));
			ended = pending.outcome().join();
		}
		if (ended.lease().isEmpty()) {
			return ended;
		}
		ended.lease().get().releaseAsync();
		return LockAttempt.failed(pending.plan().resources(), reason, ended.votes(), ended.tries(), ended.waited());
	}

	private static @Nullable LockAttempt lastAnswer(PendingAttempt pending) {
		try {
			return pending.outcome().get(LAST_ANSWER.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return null;
		}
		catch (TimeoutException ex) {
			return null;
		}
		catch (ExecutionException ex) {
			throw Waiting.failed(ex);
		}
	}

}

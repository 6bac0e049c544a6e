package dev.redlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * The only place where a thread waits, always with a bound by its own clock.
 */
final class Waiting {

	/** The loop answers within microseconds unless it stands still. */
	private static final Duration LAST_ANSWER = Duration.ofSeconds(1);

	private Waiting() {
	}

	/**
	 * Makes sure that the caller may wait.
	 * @throws IllegalStateException on the thread that would have to answer
	 */
	static void checkMayWait(EventLoop loop) {
		if (loop.inLoop()) {
			throw new IllegalStateException("This thread serves the lock, so it cannot wait for it. Call this from"
					+ " another thread, or use the asynchronous form.");
		}
	}

	/**
	 * Waits for a result. The interrupt flag stays.
	 * @return whether the result came in time and the thread was not interrupted
	 */
	static boolean upTo(Duration bound, CompletableFuture<?> future) {
		try {
			future.get(bound.toNanos(), TimeUnit.NANOSECONDS);
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (ExecutionException ex) {
			throw failed(ex);
		}
	}

	/**
	 * Blocks until a request has ended.
	 */
	static LockAttempt forLease(PendingAttempt pending) {
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
			throw failed(ex);
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
			throw failed(ex);
		}
	}

	private static IllegalStateException failed(ExecutionException ex) {
		return new IllegalStateException("A stage of the lock failed, which must not happen", ex.getCause());
	}

}

package dev.redlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.redlock.LockNotAcquiredException.Reason;

/**
 * The only place where a thread waits, always with a bound.
 */
final class Waiting {

	private Waiting() {
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
			throw new IllegalStateException("A stage of the lock failed, which must not happen", ex.getCause());
		}
	}

	/**
	 * Blocks until a request has ended.
	 */
	static LockAttempt forLease(Campaign campaign) {
		CompletableFuture<LockAttempt> outcome = campaign.outcome();
		try {
			return outcome.get(campaign.bound().toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return giveUp(campaign, Reason.INTERRUPTED);
		}
		catch (TimeoutException ex) {
			return giveUp(campaign, Reason.TIMED_OUT);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("An attempt failed without a verdict, which must not happen",
					ex.getCause());
		}
	}

	/**
	 * Ends the campaign; a lease that was won in the same instant is released.
	 */
	private static LockAttempt giveUp(Campaign campaign, Reason reason) {
		if (!campaign.giveUp(reason)) {
			campaign.outcome().thenAccept((attempt) -> attempt.lease().ifPresent(Lease::releaseAsync));
		}
		return campaign.failed(reason);
	}

}

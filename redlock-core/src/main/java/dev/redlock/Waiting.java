package dev.redlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.redlock.spi.EventLoop;

/**
 * How threads wait for the loop: always with a bound by their own clock.
 */
final class Waiting {

	private Waiting() {
	}

	/**
	 * Checks that the caller may wait.
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
			throw new IllegalStateException("A stage of the lock failed, which must not happen", ex.getCause());
		}
	}

}

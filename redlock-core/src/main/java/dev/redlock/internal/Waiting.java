package dev.redlock.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.redlock.spi.EventLoop;

/**
 * Blocking waits for results of the loop. Each wait is bounded by the clock of the
 * waiting thread.
 */
final class Waiting {

	private Waiting() {
	}

	/**
	 * Checks that the caller may wait.
	 * @throws IllegalStateException if called on the loop, which would have to answer
	 */
	static void checkMayWait(EventLoop loop) {
		if (loop.inLoop()) {
			throw new IllegalStateException("This thread runs the event loop of the lock, so it must not block."
					+ " Call this from another thread, or use the asynchronous form.");
		}
	}

	/**
	 * Waits for a result. If the thread is interrupted, the interrupt flag stays set.
	 * @return true if the result came in time and the thread was not interrupted
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
			throw new IllegalStateException("An internal stage of the lock failed, which is a bug", ex.getCause());
		}
	}

}

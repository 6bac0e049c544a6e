package dev.redlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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

}

package dev.redlock.internal.waiting;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.redlock.spi.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * Blocks threads until the event loop delivers a result, for a limited time.
 */
public final class Waiting {

	private Waiting() {
	}

	/**
	 * The event loop must not wait for a result that only the event loop can deliver.
	 */
	public static void checkNotInLoop(EventLoop loop) {
		if (loop.inLoop()) {
			throw new IllegalStateException("This thread runs the event loop of the lock, so it must not block."
					+ " Call this method from another thread, or call its asynchronous form.");
		}
	}

	/**
	 * Waits for a result, even if the thread is interrupted meanwhile.
	 */
	public static void uninterruptiblyUpTo(Duration bound, CompletableFuture<?> future) {
		future.<@Nullable Void>thenApply((result) -> null)
			.completeOnTimeout(null, bound.toNanos(), TimeUnit.NANOSECONDS)
			.join();
	}

	/**
	 * Waits for a result.
	 * @return false if the time is over or the thread was interrupted; an interrupt
	 * leaves the interrupt flag set
	 */
	public static boolean upTo(Duration bound, CompletableFuture<?> future) {
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
			throw new IllegalStateException("A CompletionStage of the lock failed. Report this bug.", ex.getCause());
		}
	}

}

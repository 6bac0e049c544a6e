package dev.redlock.lettuce;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.redlock.spi.EventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Threads for work that blocks, because the event loop must not block.
 */
final class HelperThreads {

	private static final int LONGEST_QUEUE = 1024;

	private static final Duration IDLE_THREAD = Duration.ofSeconds(30);

	private HelperThreads() {
	}

	/**
	 * Returns a pool of daemon threads that end when idle, with a bounded queue.
	 */
	static ThreadPoolExecutor pool(String name, int size) {
		ThreadPoolExecutor threads = new ThreadPoolExecutor(size, size, IDLE_THREAD.toMillis(), TimeUnit.MILLISECONDS,
				new LinkedBlockingQueue<>(LONGEST_QUEUE), new DefaultThreadFactory(name, true));
		threads.allowCoreThreadTimeOut(true);
		return threads;
	}

	/**
	 * Runs blocking work on another thread.
	 * @return completes on the event loop with the result of the work; fails at once with
	 * a {@link RejectedExecutionException}, without doing the work, if no thread is free
	 */
	static <T extends @Nullable Object> CompletableFuture<T> call(Executor threads, EventLoop loop, Supplier<T> work) {
		CompletableFuture<T> done = new CompletableFuture<>();
		try {
			threads.execute(() -> {
				try {
					T result = work.get();
					post(loop, () -> done.complete(result));
				}
				catch (RuntimeException | Error ex) {
					post(loop, () -> done.completeExceptionally(ex));
				}
			});
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			// The queue is full, the pool has ended, or the system has no free thread.
			done.completeExceptionally(new RejectedExecutionException("All helper threads of the lock are busy"));
		}
		return done;
	}

	/**
	 * Runs an event on the loop. If the loop has ended, the event runs at once on this
	 * thread.
	 */
	static void post(EventLoop loop, Runnable event) {
		if (!loop.run(event)) {
			event.run();
		}
	}

}

package dev.redlock.lettuce.internal.connection;

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
 * Runs blocking tasks on other threads, because the event loop must not block.
 */
public final class HelperThreads {

	private static final int LONGEST_QUEUE = 1024;

	private static final Duration IDLE_THREAD = Duration.ofSeconds(30);

	private HelperThreads() {
	}

	public static ThreadPoolExecutor pool(String name, int size) {
		ThreadPoolExecutor threads = new ThreadPoolExecutor(size, size, IDLE_THREAD.toMillis(), TimeUnit.MILLISECONDS,
				new LinkedBlockingQueue<>(LONGEST_QUEUE), new DefaultThreadFactory(name, true));
		threads.allowCoreThreadTimeOut(true);
		return threads;
	}

	/**
	 * Runs a blocking task on another thread.
	 * @return a future that completes on the event loop with the task's result, or fails
	 * if no thread is free
	 */
	public static <T extends @Nullable Object> CompletableFuture<T> call(Executor threads, EventLoop loop,
			Supplier<T> work) {
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
			// The queue of tasks is full, the thread pool has ended, or the system cannot
			// start a thread.
			done.completeExceptionally(new RejectedExecutionException("All helper threads of the lock are busy"));
		}
		return done;
	}

	/**
	 * Runs a task on the event loop, or on the calling thread if the event loop has
	 * ended.
	 */
	public static void post(EventLoop loop, Runnable event) {
		if (!loop.run(event)) {
			event.run();
		}
	}

}

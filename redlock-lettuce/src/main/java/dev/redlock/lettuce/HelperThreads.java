package dev.redlock.lettuce;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.redlock.spi.EventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Threads for work that blocks, which the event loop must not do.
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
	 * Does work on another thread and posts the result to the loop.
	 * @param done receives the result of the work
	 * @param failed receives what the work throws
	 * @return false if no thread takes the work; it is not done then
	 */
	static <T extends @Nullable Object> boolean call(Executor threads, EventLoop loop, Supplier<T> work,
			Consumer<T> done, Consumer<Throwable> failed) {
		try {
			threads.execute(() -> {
				try {
					T result = work.get();
					post(loop, () -> done.accept(result));
				}
				catch (RuntimeException | Error ex) {
					post(loop, () -> failed.accept(ex));
				}
			});
			return true;
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			// The queue is full, the pool has ended, or the system has no thread to give.
			return false;
		}
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

package dev.redlock.spring.autoconfigure;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of the lock: a few that give verdicts and tell of losses, one for
 * listeners, and a few for users' own functions. Listeners and functions may block and
 * must not delay a verdict or a loss.
 */
final class RedlockThreads implements AutoCloseable {

	private static final int MOST_THREADS = 16;

	private static final int LONGEST_QUEUE = 10_000;

	private static final int LONGEST_LISTENER_QUEUE = 1_000;

	private static final long IDLE_SECONDS = 30;

	private final ExecutorService callbacks = pool("redlock-callback-", MOST_THREADS, LONGEST_QUEUE);

	/** One, so that each listener is told everything in its order. */
	private final ExecutorService listeners = pool("redlock-listener-", 1, LONGEST_LISTENER_QUEUE);

	private final ExecutorService functions = pool("redlock-async-", MOST_THREADS, LONGEST_QUEUE);

	ExecutorService callbacks() {
		return this.callbacks;
	}

	ExecutorService listeners() {
		return this.listeners;
	}

	ExecutorService functions() {
		return this.functions;
	}

	@Override
	public void close() {
		this.callbacks.shutdown();
		this.listeners.shutdown();
		this.functions.shutdown();
	}

	private static ExecutorService pool(String prefix, int threads, int longestQueue) {
		AtomicInteger count = new AtomicInteger();
		ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(longestQueue), (task) -> {
					Thread thread = new Thread(task, prefix + count.incrementAndGet());
					thread.setDaemon(true);
					return thread;
				});
		pool.allowCoreThreadTimeOut(true);
		return pool;
	}

}

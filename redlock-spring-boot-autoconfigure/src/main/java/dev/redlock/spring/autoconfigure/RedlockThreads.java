package dev.redlock.spring.autoconfigure;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.netty.util.concurrent.DefaultThreadFactory;

/**
 * The threads of the lock: some that complete requests and report losses, one for
 * listeners, and some for functions of the application. Listeners and functions may
 * block, so they have their own threads and delay no request. If actions on the stages of
 * requests block, the lock itself adds threads for the reports behind them.
 */
final class RedlockThreads implements AutoCloseable {

	private static final int MOST_THREADS = 16;

	private static final int LONGEST_QUEUE = 10_000;

	private static final int LONGEST_LISTENER_QUEUE = 1_000;

	private static final long IDLE_SECONDS = 30;

	private final ExecutorService callbacks = pool("redlock-callback", MOST_THREADS, LONGEST_QUEUE);

	/** A single thread, so that listeners get all notifications in order. */
	private final ExecutorService listeners = pool("redlock-listener", 1, LONGEST_LISTENER_QUEUE);

	private final ExecutorService functions = pool("redlock-async", MOST_THREADS, LONGEST_QUEUE);

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

	private static ExecutorService pool(String name, int threads, int longestQueue) {
		ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(longestQueue), new DefaultThreadFactory(name, true));
		pool.allowCoreThreadTimeOut(true);
		return pool;
	}

}

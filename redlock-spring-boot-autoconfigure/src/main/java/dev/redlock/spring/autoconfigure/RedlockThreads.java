package dev.redlock.spring.autoconfigure;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.spring.redis.ThreadScheduler;

/**
 * The threads of the lock: one for timers, a few that tell users what happened, and a few
 * for users' own functions, which may block and must not keep anybody from being told.
 */
final class RedlockThreads implements AutoCloseable {

	private static final int MOST_THREADS = 16;

	private static final int LONGEST_QUEUE = 10_000;

	private static final long IDLE_SECONDS = 30;

	private final ThreadScheduler scheduler = new ThreadScheduler("redlock-timer");

	private final ExecutorService callbacks = pool("redlock-callback-");

	private final ExecutorService functions = pool("redlock-async-");

	ThreadScheduler scheduler() {
		return this.scheduler;
	}

	ExecutorService callbacks() {
		return this.callbacks;
	}

	ExecutorService functions() {
		return this.functions;
	}

	@Override
	public void close() {
		this.scheduler.close();
		this.callbacks.shutdown();
		this.functions.shutdown();
	}

	private static ExecutorService pool(String prefix) {
		AtomicInteger count = new AtomicInteger();
		ThreadPoolExecutor pool = new ThreadPoolExecutor(MOST_THREADS, MOST_THREADS, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(LONGEST_QUEUE), (task) -> {
					Thread thread = new Thread(task, prefix + count.incrementAndGet());
					thread.setDaemon(true);
					return thread;
				});
		pool.allowCoreThreadTimeOut(true);
		return pool;
	}

}

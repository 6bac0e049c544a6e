package dev.redlock.spring.autoconfigure;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.spring.redis.ThreadScheduler;

/**
 * The threads of the lock: one for timers, a few for what users hang on leases.
 */
final class RedlockThreads implements AutoCloseable {

	private static final int MOST_CALLBACKS = 16;

	private static final int LONGEST_QUEUE = 10_000;

	private static final long IDLE_SECONDS = 30;

	private final ThreadScheduler scheduler = new ThreadScheduler("redlock-timer");

	private final ThreadPoolExecutor callbacks;

	RedlockThreads() {
		AtomicInteger count = new AtomicInteger();
		this.callbacks = new ThreadPoolExecutor(MOST_CALLBACKS, MOST_CALLBACKS, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(LONGEST_QUEUE), (task) -> {
					Thread thread = new Thread(task, "redlock-callback-" + count.incrementAndGet());
					thread.setDaemon(true);
					return thread;
				});
		this.callbacks.allowCoreThreadTimeOut(true);
	}

	ThreadScheduler scheduler() {
		return this.scheduler;
	}

	ExecutorService callbacks() {
		return this.callbacks;
	}

	@Override
	public void close() {
		this.scheduler.close();
		this.callbacks.shutdown();
	}

}

package dev.redlock.spring.autoconfigure.internal.listeners;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.netty.util.concurrent.DefaultThreadFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.boot.task.ThreadPoolTaskExecutorBuilder;
import org.springframework.boot.thread.Threading;
import org.springframework.core.env.Environment;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * The threads that complete lock requests, call listeners and run functions of the
 * application. Listeners and functions may block, so they run on threads of their own and
 * delay no lock request.
 */
public final class RedlockThreads implements AutoCloseable {

	private static final String FUNCTIONS = "redlock-async-";

	private static final int MOST_THREADS = 16;

	private static final int LONGEST_QUEUE = 10_000;

	private static final int LONGEST_LISTENER_QUEUE = 1_000;

	private static final long IDLE_SECONDS = 30;

	private final ExecutorService callbacks = pool("redlock-callback", MOST_THREADS, LONGEST_QUEUE);

	/**
	 * A single thread calls all listeners, so that each listener gets its notifications
	 * in order.
	 */
	private final ExecutorService listeners = pool("redlock-listener", 1, LONGEST_LISTENER_QUEUE);

	private final AsyncTaskExecutor functions;

	public RedlockThreads(Environment environment, ObjectProvider<ThreadPoolTaskExecutorBuilder> pooled,
			ObjectProvider<SimpleAsyncTaskExecutorBuilder> virtual) {
		if (Threading.VIRTUAL.isActive(environment)) {
			this.functions = virtual.getIfAvailable(SimpleAsyncTaskExecutorBuilder::new)
				.threadNamePrefix(FUNCTIONS)
				.virtualThreads(true)
				.build();
		}
		else {
			ThreadPoolTaskExecutor pool = pooled.getIfAvailable(ThreadPoolTaskExecutorBuilder::new)
				.threadNamePrefix(FUNCTIONS)
				.build();
			pool.setDaemon(true);
			pool.initialize();
			this.functions = pool;
		}
	}

	public ExecutorService callbacks() {
		return this.callbacks;
	}

	public ExecutorService listeners() {
		return this.listeners;
	}

	public Executor functions() {
		return this.functions;
	}

	@Override
	public void close() {
		this.callbacks.shutdown();
		this.listeners.shutdown();
		if (this.functions instanceof ThreadPoolTaskExecutor pool) {
			pool.shutdown();
		}
	}

	private static ExecutorService pool(String name, int threads, int longestQueue) {
		ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(longestQueue), new DefaultThreadFactory(name, true));
		pool.allowCoreThreadTimeOut(true);
		return pool;
	}

}

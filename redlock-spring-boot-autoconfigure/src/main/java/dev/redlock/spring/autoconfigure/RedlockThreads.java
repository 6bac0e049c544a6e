package dev.redlock.spring.autoconfigure;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.Scheduler;
import io.netty.util.concurrent.DefaultThreadFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.boot.task.ThreadPoolTaskExecutorBuilder;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * The threads that complete lock requests, call listeners, run functions of the
 * application and work for the features. All are daemon threads, and each starts with its
 * first task. Listeners and functions may block, so they run on threads of their own and
 * delay no lock request. These threads are virtual if Spring Boot's are.
 */
@Configuration(proxyBeanMethods = false)
public final class RedlockThreads implements AutoCloseable {

	private static final String FUNCTIONS = "redlock-async-";

	private static final int MOST_THREADS = 16;

	private static final int LONGEST_QUEUE = 10_000;

	private static final int LONGEST_ORDERED_QUEUE = 1_000;

	private static final long IDLE_SECONDS = 30;

	private final Queue<ExecutorService> pools = new ConcurrentLinkedQueue<>();

	private final boolean virtual;

	/**
	 * Platform threads, because virtual threads may all wait until code of the
	 * application leaves the processors.
	 */
	private final ExecutorService callbacks = pool(MOST_THREADS, LONGEST_QUEUE, platform("redlock-callback"));

	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, platform("redlock-timer"),
			new ThreadPoolExecutor.DiscardPolicy());

	private final AsyncTaskExecutor functions;

	RedlockThreads(Environment environment, ObjectProvider<ThreadPoolTaskExecutorBuilder> pooled,
			ObjectProvider<SimpleAsyncTaskExecutorBuilder> simple) {
		this.timer.setRemoveOnCancelPolicy(true);
		this.virtual = Threading.VIRTUAL.isActive(environment);
		if (this.virtual) {
			this.functions = simple.getIfAvailable(SimpleAsyncTaskExecutorBuilder::new)
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

	/**
	 * The timer of all features. Its tasks must not block, because it has one thread, so
	 * they leave work that may block to another thread.
	 */
	@Bean(defaultCandidate = false)
	@ConditionalOnMissingBean(name = "redlockTimer")
	Scheduler redlockTimer() {
		return (delay, task) -> {
			Future<?> future = this.timer.schedule(task, TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
			return () -> future.cancel(false);
		};
	}

	ExecutorService callbacks() {
		return this.callbacks;
	}

	/**
	 * Returns a new executor that runs its tasks one after the other, in their order. A
	 * task that blocks delays only tasks of the same executor. If 1,000 tasks wait, or
	 * after the application context was closed, the executor rejects tasks.
	 * @param name the beginning of the names of its threads
	 */
	public ThreadPoolExecutor inOrder(String name) {
		return pool(1, LONGEST_ORDERED_QUEUE,
				this.virtual ? new VirtualThreadTaskExecutor(name + "-").getVirtualThreadFactory() : platform(name));
	}

	/**
	 * Returns the executor for functions of the application, if the application has no
	 * executor.
	 */
	Executor functions() {
		return this.functions;
	}

	@Override
	public void close() {
		this.timer.shutdownNow();
		this.pools.forEach(ExecutorService::shutdown);
		if (this.functions instanceof ThreadPoolTaskExecutor pool) {
			pool.shutdown();
		}
	}

	private ThreadPoolExecutor pool(int threads, int longestQueue, ThreadFactory factory) {
		ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(longestQueue), factory);
		pool.allowCoreThreadTimeOut(true);
		this.pools.add(pool);
		return pool;
	}

	private static ThreadFactory platform(String name) {
		return new DefaultThreadFactory(name, true);
	}

}

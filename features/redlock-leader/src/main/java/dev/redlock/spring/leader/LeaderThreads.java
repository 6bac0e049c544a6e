package dev.redlock.spring.leader;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.Scheduler;

import org.springframework.util.CustomizableThreadCreator;

/**
 * One thread for the timers of all roles, and one thread per role for listeners, so that
 * a listener that blocks delays no other role.
 */
final class LeaderThreads implements Scheduler, AutoCloseable {

	private static final int LONGEST_QUEUE = 1_000;

	private static final long IDLE_SECONDS = 30;

	private final Queue<ExecutorService> listeners = new ConcurrentLinkedQueue<>();

	private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1, named("redlock-leader"));

	LeaderThreads() {
		this.timers.setRemoveOnCancelPolicy(true);
	}

	@Override
	public Timeout schedule(Duration delay, Runnable task) {
		try {
			Future<?> future = this.timers.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
			return () -> future.cancel(false);
		}
		catch (RejectedExecutionException ex) {
			return Timeout.NONE;
		}
	}

	Executor listeners(String role) {
		ThreadPoolExecutor created = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(LONGEST_QUEUE), named("redlock-leader-" + role));
		created.allowCoreThreadTimeOut(true);
		this.listeners.add(created);
		return created;
	}

	@Override
	public void close() {
		this.timers.shutdownNow();
		this.listeners.forEach(ExecutorService::shutdown);
	}

	private static ThreadFactory named(String name) {
		CustomizableThreadCreator creator = new CustomizableThreadCreator(name + "-");
		creator.setDaemon(true);
		return creator::createThread;
	}

}

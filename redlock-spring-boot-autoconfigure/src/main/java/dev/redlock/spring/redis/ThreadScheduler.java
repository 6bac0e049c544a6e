package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs short tasks later, on one daemon thread. After it was closed tasks are dropped.
 */
public final class ThreadScheduler implements Scheduler, AutoCloseable {

	private static final Logger log = LoggerFactory.getLogger(ThreadScheduler.class);

	private static final Timeout NEVER = () -> {
	};

	private final ScheduledThreadPoolExecutor executor;

	/**
	 * Creates a scheduler with a thread of its own.
	 * @param threadName the name of the thread
	 */
	public ThreadScheduler(String threadName) {
		this.executor = new ScheduledThreadPoolExecutor(1, DaemonThreads.named(threadName));
		this.executor.setRemoveOnCancelPolicy(true);
		this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
	}

	@Override
	public Timeout schedule(Duration delay, Runnable task) {
		try {
			Future<?> future = this.executor.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
			return () -> future.cancel(false);
		}
		catch (RejectedExecutionException ex) {
			log.debug("A task was dropped, since the scheduler is closed");
			return NEVER;
		}
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

	private static void run(Runnable task) {
		try {
			task.run();
		}
		catch (RuntimeException ex) {
			log.warn("A timer of the lock failed", ex);
		}
	}

}

package dev.redlock.spring.shedlock;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.Scheduler;

/**
 * Runs the timers that end leases after {@code lockAtMostFor}, on one daemon thread that
 * starts with the first timer.
 */
final class LeaseTimers implements Scheduler, AutoCloseable {

	private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, (task) -> {
		Thread thread = new Thread(task, "redlock-shedlock");
		thread.setDaemon(true);
		return thread;
	});

	LeaseTimers() {
		this.executor.setRemoveOnCancelPolicy(true);
		this.executor.setRejectedExecutionHandler(new ScheduledThreadPoolExecutor.DiscardPolicy());
	}

	@Override
	public Timeout schedule(Duration delay, Runnable task) {
		Future<?> timer = this.executor.schedule(task, TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
		return () -> timer.cancel(false);
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}

package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;

/**
 * The clocks of this machine and a thread for events.
 */
public final class RealTime implements Ticker, EventLoop, AutoCloseable {

	private volatile Thread thread;

	private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1, this::newThread);

	public RealTime() {
		this.timers.setRemoveOnCancelPolicy(true);
	}

	/**
	 * One more process over the nodes.
	 */
	public Redlock redlock(List<? extends LockNode> nodes) {
		return Redlock.over(nodes)
			.settings(RedlockSettings.DEFAULTS)
			.ticker(this)
			.loop(this)
			.callbacks(Runnable::run)
			.build();
	}

	@Override
	public long nanoTime() {
		return Ticker.SYSTEM.nanoTime();
	}

	@Override
	public long epochMicros() {
		return Ticker.SYSTEM.epochMicros();
	}

	@Override
	public boolean inLoop() {
		return Thread.currentThread() == this.thread;
	}

	@Override
	public void execute(Runnable event) {
		this.timers.execute(event);
	}

	@Override
	public Timeout schedule(Duration delay, Runnable task) {
		Future<?> future = this.timers.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
		return () -> future.cancel(false);
	}

	@Override
	public void close() {
		this.timers.shutdownNow();
	}

	private Thread newThread(Runnable work) {
		this.thread = new Thread(work, "real-time");
		return this.thread;
	}

}

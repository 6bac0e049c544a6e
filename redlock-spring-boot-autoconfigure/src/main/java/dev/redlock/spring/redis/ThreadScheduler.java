package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import dev.redlock.spi.Scheduler;
import dev.redlock.spring.redis.TimerWheel.Timer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs short tasks later, on one daemon thread, which sleeps until the next one is due.
 * <p>
 * Delays under 50 ms are exact, as far as a sleeping thread can be; longer ones end up to
 * 5 ms early rather than late. After it was closed tasks are dropped.
 */
public final class ThreadScheduler implements Scheduler, AutoCloseable {

	private static final Logger log = LoggerFactory.getLogger(ThreadScheduler.class);

	private static final Timeout DROPPED = () -> {
	};

	private static final long LONGEST_DELAY = Long.MAX_VALUE / 2;

	private final long originNanos = System.nanoTime();

	private final TimerWheel wheel = new TimerWheel();

	private final Thread thread;

	/**
	 * When the thread looks again by itself; while it is awake whoever sets a timer tells
	 * it, since it may have looked there already.
	 */
	private volatile long sleepsUntil = TimerWheel.NEVER;

	private volatile boolean closed;

	/**
	 * Creates a scheduler with a thread of its own.
	 * @param threadName the name of the thread
	 */
	public ThreadScheduler(String threadName) {
		this.thread = DaemonThreads.named(threadName).newThread(this::work);
		this.thread.start();
	}

	@Override
	public Timeout schedule(Duration delay, Runnable task) {
		if (this.closed) {
			log.debug("A task was dropped, since the scheduler is closed");
			return DROPPED;
		}
		Timer timer = this.wheel.set(now(), nanos(delay), task);
		if (timer.atNanos() < this.sleepsUntil) {
			LockSupport.unpark(this.thread);
		}
		return timer;
	}

	@Override
	public void close() {
		this.closed = true;
		LockSupport.unpark(this.thread);
	}

	/**
	 * How many tasks wait for their time.
	 */
	int pending() {
		return this.wheel.size();
	}

	Thread thread() {
		return this.thread;
	}

	private void work() {
		while (!this.closed) {
			// A task may have left it behind, and nobody could sleep with it.
			Thread.interrupted();
			this.sleepsUntil = TimerWheel.NEVER;
			for (Timer timer : this.wheel.takeDue(now())) {
				run(timer.task());
			}
			long next = this.wheel.next();
			this.sleepsUntil = next;
			if (next == TimerWheel.NEVER) {
				LockSupport.park(this);
			}
			else {
				LockSupport.parkNanos(this, next - now());
			}
		}
	}

	private void run(@Nullable Runnable task) {
		if (task == null || this.closed) {
			return;
		}
		try {
			task.run();
		}
		catch (RuntimeException | Error ex) {
			// Errors too: without this thread nobody is told that a lease has ended.
			log.warn("A timer of the lock failed", ex);
		}
	}

	private long now() {
		return System.nanoTime() - this.originNanos;
	}

	private static long nanos(Duration delay) {
		return (delay.getSeconds() > LONGEST_DELAY / 1_000_000_000) ? LONGEST_DELAY : delay.toNanos();
	}

}

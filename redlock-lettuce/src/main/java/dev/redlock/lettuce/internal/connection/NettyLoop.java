package dev.redlock.lettuce.internal.connection;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

import dev.redlock.spi.EventLoop;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loop of a lock, which runs all tasks on one Netty thread. If a task throws an
 * exception, the event loop logs it and runs the next task. The timers of this event loop
 * never run early.
 * <p>
 * A Spring bean of this class must not be a default candidate. Spring Boot creates no
 * application task executor if it finds another {@link java.util.concurrent.Executor}.
 */
public final class NettyLoop implements EventLoop, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

	private static final Duration LONGEST_CLOSE = Duration.ofSeconds(2);

	/**
	 * The event loop warns about timers that run at least this late, because locks may be
	 * renewed too late.
	 */
	private static final Duration NOTABLE_LAG = Duration.ofSeconds(1);

	private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);

	private final EventExecutor executor;

	private volatile LongConsumer lagListener = (nanos) -> {
	};

	private @Nullable Long warnedNanos;

	public NettyLoop(String threadName) {
		this(new DefaultEventExecutor(new DefaultThreadFactory(threadName, true)));
	}

	NettyLoop(EventExecutor executor) {
		this.executor = executor;
	}

	@Override
	public boolean inLoop() {
		return this.executor.inEventLoop();
	}

	@Override
	public void execute(Runnable event) {
		this.executor.execute(() -> handle(event));
	}

	@Override
	public Timeout schedule(Duration delay, Runnable task) {
		long nanos = ((delay.compareTo(LONGEST_DELAY) < 0) ? delay : LONGEST_DELAY).toNanos();
		try {
			long dueNanos = System.nanoTime() + nanos;
			Future<?> timer = this.executor.schedule(() -> {
				noteLag(System.nanoTime() - dueNanos);
				handle(task);
			}, nanos, TimeUnit.NANOSECONDS);
			return () -> timer.cancel(false);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("A timer was dropped because the event loop of the lock has ended");
			return Timeout.NONE;
		}
	}

	/**
	 * Passes the delay of each timer in nanoseconds to the listener, on the event loop.
	 */
	public void onLag(LongConsumer listener) {
		this.lagListener = listener;
	}

	/**
	 * Runs the queued tasks, cancels all timers, and ends the thread without waiting for
	 * its end.
	 */
	@Override
	public void close() {
		this.executor.shutdownGracefully(0, LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
	}

	/**
	 * Logs exceptions, because a Netty executor ends when a task throws, and a timer's
	 * future hides the exception.
	 */
	private static void handle(Runnable event) {
		try {
			event.run();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("A task on the event loop of the lock failed", ex);
		}
	}

	private void noteLag(long nanos) {
		this.lagListener.accept(nanos);
		long now = System.nanoTime();
		boolean warnedLately = this.warnedNanos != null && now - this.warnedNanos < BETWEEN_WARNINGS.toNanos();
		if (nanos > NOTABLE_LAG.toNanos() && !warnedLately) {
			this.warnedNanos = now;
			logger.warn(
					"The event loop of the lock was {} ms late, so renewals, notices of loss and waiting requests "
							+ "were late too. Something blocked thread '{}', or the process did not run.",
					TimeUnit.NANOSECONDS.toMillis(nanos), Thread.currentThread().getName());
		}
	}

}

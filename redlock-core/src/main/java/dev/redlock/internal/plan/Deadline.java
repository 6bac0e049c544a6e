package dev.redlock.internal.plan;

import java.time.Duration;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Scheduler.Timeout;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * The time for which one request may wait for a lock, with a timer that ends the wait.
 */
public final class Deadline {

	private static final Duration TIMER_SLACK = Duration.ofSeconds(1);

	private final EventLoop loop;

	private final Ticker ticker;

	private final LockPlan plan;

	private final Moment start;

	private @Nullable Duration lastTryAfter;

	private Timeout timer = Timeout.NONE;

	public Deadline(EventLoop loop, Ticker ticker, LockPlan plan) {
		this.loop = loop;
		this.ticker = ticker;
		this.plan = plan;
		this.start = Moment.now(ticker);
	}

	public Duration waited() {
		return Duration.ofNanos(this.start.elapsedNanos(this.ticker));
	}

	public Duration left() {
		Duration left = this.plan.waitFor().minus(waited());
		return left.isNegative() ? Duration.ZERO : left;
	}

	public boolean allowsAnother(int retries) {
		boolean outOfRetries = this.plan.retryCount() >= 0 && retries >= this.plan.retryCount();
		return !outOfRetries && !left().isZero();
	}

	public Duration longestUntilOutcome() {
		return this.plan.waitFor().plus(longestLastTry());
	}

	/**
	 * Returns the longest time until the outcome of a try that begins when the time to
	 * wait is over.
	 */
	public Duration longestLastTry() {
		return this.plan.nodeTimeout().plus(this.plan.longestTry()).plus(TIMER_SLACK);
	}

	/**
	 * Whether the time is over for so long that this process did not run meanwhile,
	 * because its timers would have come first. Thread-safe.
	 */
	public boolean wasOverslept(Duration bound) {
		return waited().compareTo(bound.plus(TIMER_SLACK)) > 0;
	}

	/**
	 * Shortens a pause that would outlast the remaining time, so that one last try can
	 * still complete.
	 */
	public Duration shorten(Duration pause) {
		if (!this.plan.waits()) {
			return Duration.ZERO;
		}
		Duration left = left();
		if (pause.compareTo(left) < 0) {
			return pause;
		}
		Duration waited = waited();
		if (this.lastTryAfter == null) {
			Duration early = left.minus(this.plan.nodeTimeout());
			Duration half = left.dividedBy(2);
			this.lastTryAfter = waited.plus((early.compareTo(half) > 0) ? early : half);
		}
		Duration untilLast = this.lastTryAfter.minus(waited);
		return (untilLast.compareTo(Duration.ZERO) > 0) ? untilLast : pause;
	}

	public void startTimer(Runnable atEnd) {
		if (this.timer == Timeout.NONE) {
			restartTimer(left(), atEnd);
		}
	}

	public void restartTimer(Duration rest, Runnable atEnd) {
		this.timer = this.loop.schedule(rest, atEnd);
	}

	public void cancel() {
		this.timer.cancel();
	}

}

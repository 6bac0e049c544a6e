package dev.redlock.internal;

import java.time.Duration;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.Scheduler.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The time that one request may still wait, and the timer for the end of that time.
 */
final class Deadline {

	private static final Duration TIMER_SLACK = Duration.ofSeconds(1);

	private final LockContext context;

	private final LockPlan plan;

	private final Moment start;

	/**
	 * The time from the start to the last try. This value is set once, by the first pause
	 * that would reach the end of the wait.
	 */
	private @Nullable Duration lastTryAfter;

	private Timeout timer = Timeout.NONE;

	Deadline(LockContext context, LockPlan plan) {
		this.context = context;
		this.plan = plan;
		this.start = Moment.now(context.ticker());
	}

	/**
	 * Returns the time since the request began.
	 */
	Duration waited() {
		return Duration.ofNanos(this.start.elapsedNanos(this.context.ticker()));
	}

	Duration left() {
		Duration left = this.plan.waitFor().minus(waited());
		return left.isNegative() ? Duration.ZERO : left;
	}

	/**
	 * Whether the request may try again. The request must end if its time or its retries
	 * are used up, or if too few nodes can vote in the remaining time.
	 * @param retries the number of retries so far
	 */
	boolean allowsAnother(TryResult last, int retries) {
		boolean outOfRetries = this.plan.retryCount() >= 0 && retries >= this.plan.retryCount();
		Duration left = left();
		boolean hopeless = last.reason() == Reason.NO_QUORUM && !this.plan.mayReachQuorum(left);
		return !last.isFinal() && !outOfRetries && !hopeless && !left.isZero();
	}

	/**
	 * Returns the longest time until the request has an outcome, if the event loop is not
	 * blocked. This time includes a repetition of the first try, which may fail because
	 * the clocks of the nodes are unknown.
	 */
	Duration bound() {
		return this.plan.waitFor().plus(this.plan.nodeTimeout()).plus(this.plan.longestTry()).plus(TIMER_SLACK);
	}

	/**
	 * Shortens a pause that would outlast the remaining time, so that one last try can
	 * still complete. Pauses after the last try are not shortened, because the deadline
	 * ends these pauses. A request that does not wait does not pause.
	 */
	Duration shorten(Duration pause) {
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

	/**
	 * Starts the timer unless it is running.
	 */
	void watch(Runnable atEnd) {
		if (this.timer == Timeout.NONE) {
			prolong(left(), atEnd);
		}
	}

	/**
	 * Restarts the timer with the given time.
	 */
	void prolong(Duration rest, Runnable atEnd) {
		this.timer = this.context.loop().schedule(rest, atEnd);
	}

	void cancel() {
		this.timer.cancel();
	}

}

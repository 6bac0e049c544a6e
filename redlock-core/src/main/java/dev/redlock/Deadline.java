package dev.redlock;

import java.time.Duration;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.Scheduler.Timeout;

/**
 * How long one request may still wait, and the timer for the end of that.
 */
final class Deadline {

	private static final Duration TIMER_SLACK = Duration.ofSeconds(1);

	private final LockContext context;

	private final LockPlan plan;

	private final Moment start;

	private boolean lastTry;

	private Timeout timer = Timeout.NONE;

	Deadline(LockContext context, LockPlan plan) {
		this.context = context;
		this.plan = plan;
		this.start = Moment.now(context.ticker());
	}

	/**
	 * How long the request has waited.
	 */
	Duration waited() {
		return Duration.ofNanos(this.start.elapsedNanos(this.context.ticker()));
	}

	Duration left() {
		Duration left = this.plan.waitFor().minus(waited());
		return left.isNegative() ? Duration.ZERO : left;
	}

	/**
	 * Whether there is time for another try: nodes that are known not to vote in the time
	 * that is left need not be asked again.
	 * @param tries how often the nodes were asked
	 */
	boolean allowsAnother(TryResult last, int tries) {
		boolean outOfRetries = this.plan.retryCount() >= 0 && tries > this.plan.retryCount();
		Duration left = left();
		boolean hopeless = last.reason() == Reason.NO_QUORUM && !this.plan.mayReachQuorum(left);
		return !outOfRetries && !hopeless && !left.isZero();
	}

	/**
	 * By when there is an outcome if the loop runs as it should.
	 */
	Duration bound() {
		return this.plan.waitFor().plus(this.plan.longestTry()).plus(TIMER_SLACK);
	}

	/**
	 * Cuts the first pause short that would outlast the time, for one more try, early
	 * enough to come to a result. Those after it are left to the end of the time.
	 */
	Duration atMost(Duration pause) {
		Duration left = left();
		if (pause.compareTo(left) < 0 || this.lastTry) {
			return pause;
		}
		this.lastTry = true;
		Duration early = left.minus(this.plan.nodeTimeout());
		Duration half = left.dividedBy(2);
		return (early.compareTo(half) > 0) ? early : half;
	}

	/**
	 * Starts the timer, unless it runs already.
	 */
	void watch(Runnable atEnd) {
		if (this.timer == Timeout.NONE) {
			prolong(left(), atEnd);
		}
	}

	/**
	 * Starts the timer anew.
	 */
	void prolong(Duration rest, Runnable atEnd) {
		this.timer = this.context.loop().schedule(rest, atEnd);
	}

	void cancel() {
		this.timer.cancel();
	}

}

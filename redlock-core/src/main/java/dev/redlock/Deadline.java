package dev.redlock;

import java.time.Duration;

/**
 * How long one request may still wait.
 */
final class Deadline {

	private static final Duration TIMER_SLACK = Duration.ofSeconds(1);

	private final LockContext context;

	private final LockPlan plan;

	private final Moment start;

	private boolean lastTry;

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

	boolean isOver() {
		return left().isZero();
	}

	/**
	 * Whether the nodes are known not to vote in the time that is left.
	 */
	boolean isHopeless() {
		return !this.plan.mayReachQuorum(left());
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

}

package dev.redlock;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.spi.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * How long one request may still wait, and the timer for the end of that.
 */
final class Deadline {

	private static final Duration TIMER_SLACK = Duration.ofSeconds(1);

	private final Engine engine;

	private final LockPlan plan;

	private final Runnable atEnd;

	private final Moment start;

	private final AtomicBoolean watched = new AtomicBoolean();

	private volatile Scheduler.@Nullable Timeout timer;

	private volatile boolean cancelled;

	private volatile boolean lastTry;

	Deadline(Engine engine, LockPlan plan, Runnable atEnd) {
		this.engine = engine;
		this.plan = plan;
		this.atEnd = atEnd;
		this.start = Moment.now(engine.ticker());
	}

	/**
	 * How long the request has waited.
	 */
	Duration waited() {
		return Duration.ofNanos(this.start.elapsedNanos(this.engine.ticker()));
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
	 * By when there is an outcome if the timers run as they should.
	 */
	Duration bound() {
		return this.plan.waitFor().plus(this.plan.longestAttempt()).plus(TIMER_SLACK);
	}

	/**
	 * Cuts the first rest short that would outlast the time, for one more try, early
	 * enough to come to a verdict. Those after it are left to the timer.
	 */
	Duration atMost(Duration rest) {
		Duration left = left();
		if (rest.compareTo(left) < 0 || this.lastTry) {
			return rest;
		}
		this.lastTry = true;
		Duration early = left.minus(this.plan.nodeTimeout());
		Duration half = left.dividedBy(2);
		return (early.compareTo(half) > 0) ? early : half;
	}

	/**
	 * Starts the timer, unless it runs already.
	 */
	void watch() {
		if (this.watched.compareAndSet(false, true)) {
			this.timer = this.engine.scheduler().schedule(left(), this.atEnd);
		}
		if (this.cancelled) {
			cancel();
		}
	}

	void cancel() {
		this.cancelled = true;
		Scheduler.Timeout pending = this.timer;
		if (pending != null) {
			pending.cancel();
		}
	}

	private Duration left() {
		Duration left = this.plan.waitFor().minus(waited());
		return left.isNegative() ? Duration.ZERO : left;
	}

}

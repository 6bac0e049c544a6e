package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * One request for a lock: attempts with random pauses between them, until one wins, the
 * time to wait is over, or the caller gives up.
 */
final class Campaign {

	private static final int CLOCK_LESSONS = 1;

	private static final Duration TIMER_SLACK = Duration.ofSeconds(1);

	private final Engine engine;

	private final LockPlan plan;

	private final Moment start;

	private final CompletableFuture<LockAttempt> result = new CompletableFuture<>();

	private volatile @Nullable Acquisition current;

	private volatile @Nullable Verdict lastVerdict;

	private volatile int tries;

	private volatile Scheduler.@Nullable Timeout deadline;

	private volatile Scheduler.@Nullable Timeout pause;

	private boolean lastTry;

	Campaign(Engine engine, LockPlan plan) {
		this.engine = engine;
		this.plan = plan;
		this.start = Moment.now(engine.ticker());
		this.result.whenComplete((attempt, failure) -> end());
	}

	/**
	 * Starts the first attempt.
	 */
	void start() {
		attempt();
		if (!this.result.isDone() && this.plan.waitFor().compareTo(Duration.ZERO) > 0) {
			this.deadline = this.engine.scheduler().schedule(this.plan.waitFor(), this::onDeadline);
			if (this.result.isDone()) {
				end();
			}
		}
	}

	/**
	 * What is asked for.
	 */
	LockPlan plan() {
		return this.plan;
	}

	/**
	 * Completes with how the request ended. To cancel it is to give up.
	 */
	CompletableFuture<LockAttempt> outcome() {
		return this.result;
	}

	/**
	 * By when there is an outcome if the timers run as they should.
	 */
	Duration bound() {
		return this.plan.waitFor().plus(this.plan.nodeTimeout().multipliedBy(2)).plus(TIMER_SLACK);
	}

	void shutDown() {
		giveUp(Reason.SHUTTING_DOWN);
	}

	/**
	 * Ends without a lease. The releases are on their way before anybody is told.
	 * @return whether it had not ended before
	 */
	boolean giveUp(Reason reason) {
		LockAttempt failed = failed(reason);
		end();
		return this.result.complete(failed);
	}

	LockAttempt failed(Reason reason) {
		Verdict verdict = this.lastVerdict;
		Acquisition acquisition = this.current;
		Tally votes = (verdict != null) ? verdict.votes() : (acquisition != null) ? acquisition.votes() : null;
		return LockAttempt.failed(this.plan.resources(), reason, (votes != null) ? votes.named() : List.of(),
				this.tries, waited());
	}

	private void attempt() {
		if (this.result.isDone()) {
			return;
		}
		this.tries++;
		Acquisition acquisition = new Acquisition(this.engine, this.plan);
		this.current = acquisition;
		acquisition.verdict().thenAccept(this::onVerdict);
		if (this.result.isDone()) {
			acquisition.abandon();
		}
	}

	private void onVerdict(Verdict verdict) {
		HeldLease lease = verdict.lease();
		if (lease != null) {
			lease.start();
			if (!this.result.complete(LockAttempt.won(lease, verdict.votes().named(), this.tries, waited()))) {
				lease.releaseAsync();
			}
			return;
		}
		this.lastVerdict = verdict;
		if (isClockLesson(verdict)) {
			attempt();
		}
		else {
			retryOrFail();
		}
	}

	/**
	 * Whether the attempt failed only because the nodes' clocks were not known: now they
	 * are, and the next proposal will suit them.
	 */
	private boolean isClockLesson(Verdict verdict) {
		return this.tries <= CLOCK_LESSONS && verdict.votes()
			.blockedBy((vote) -> vote instanceof Vote.Faulted faulted && faulted.fault() == Vote.Fault.CLOCK);
	}

	private void retryOrFail() {
		long left = this.plan.waitFor().toNanos() - this.start.elapsedNanos(this.engine.ticker());
		boolean outOfRetries = this.plan.retryCount() >= 0 && this.tries > this.plan.retryCount();
		if (left <= 0 || outOfRetries) {
			this.result.complete(failed(lastReason()));
			return;
		}
		long longest = this.plan.retryDelay().toNanos();
		long delay = longest - this.engine.random().nextLong(longest / 2 + 1);
		if (delay >= left) {
			if (this.lastTry) {
				return;
			}
			// The deadline is near: one more try, early enough to come to a verdict.
			this.lastTry = true;
			delay = Math.max(left - this.plan.nodeTimeout().toNanos(), left / 2);
		}
		this.pause = this.engine.scheduler().schedule(Duration.ofNanos(delay), this::attempt);
		if (this.result.isDone()) {
			end();
		}
	}

	private void onDeadline() {
		giveUp(lastReason());
	}

	private Reason lastReason() {
		Verdict verdict = this.lastVerdict;
		Reason reason = (verdict != null) ? verdict.reason() : null;
		return (reason != null) ? reason : Reason.TIMED_OUT;
	}

	private Duration waited() {
		return Duration.ofNanos(this.start.elapsedNanos(this.engine.ticker()));
	}

	private void end() {
		Scheduler.Timeout timer = this.deadline;
		if (timer != null) {
			timer.cancel();
		}
		timer = this.pause;
		if (timer != null) {
			timer.cancel();
		}
		Acquisition acquisition = this.current;
		if (acquisition != null) {
			acquisition.abandon();
		}
	}

}

package dev.redlock.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException.Reason;

/**
 * A request that was made and has no outcome yet. Thread-safe, except for
 * {@link #start()} and {@link #end}, which run on the loop.
 */
abstract class Pending {

	final LockContext context;

	final LockPlan plan;

	final CompletableFuture<LockAttempt> outcome = new CompletableFuture<>();

	Pending(LockContext context, LockPlan plan) {
		this.context = context;
		this.plan = plan;
	}

	/** What was asked for. */
	public final LockPlan plan() {
		return this.plan;
	}

	/** Completes with the outcome of the request. */
	final CompletableFuture<LockAttempt> outcome() {
		return this.outcome;
	}

	/** Begins the request. */
	final void begin() {
		if (!this.context.loop().post(this::start)) {
			this.outcome.complete(unanswered(Reason.SHUTTING_DOWN));
		}
	}

	/** Ends the request without a lease: at once on the loop, otherwise soon. */
	final void giveUp(Reason reason) {
		if (!this.context.loop().run(() -> end(reason))) {
			this.outcome.complete(unanswered(reason));
		}
	}

	/** The longest time until there is an outcome, if the loop is not blocked. */
	abstract Duration bound();

	/** Returns a failed outcome without votes. */
	abstract LockAttempt unanswered(Reason reason);

	/** Asks, or joins those that wait. */
	abstract void start();

	/** Ends the request without a lease, unless it has an outcome. */
	abstract void end(Reason reason);

}

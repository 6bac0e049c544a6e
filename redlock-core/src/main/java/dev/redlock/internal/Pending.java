package dev.redlock.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException.Reason;

/**
 * A request that was made and has no outcome yet. Thread-safe.
 */
interface Pending {

	/** What was asked for. */
	LockPlan plan();

	/** Begins the request. */
	void begin();

	/** Completes with the outcome of the request. */
	CompletableFuture<LockAttempt> outcome();

	/** The longest time until there is an outcome, if the loop is not blocked. */
	Duration bound();

	/** Ends the request without a lease: at once on the loop, otherwise soon. */
	void giveUp(Reason reason);

	/** Returns a failed outcome without votes. */
	LockAttempt unanswered(Reason reason);

}

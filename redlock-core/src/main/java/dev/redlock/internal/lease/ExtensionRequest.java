package dev.redlock.internal.lease;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.RequestListener.RenewalOutcome;

/**
 * A request to extend a lease. A caller that stops waiting ends its request, so that a
 * late answer cannot extend the lease. Thread-safe.
 */
record ExtensionRequest(Duration ttl, CompletableFuture<RenewalOutcome> outcome, AtomicBoolean over) {

	ExtensionRequest(Duration ttl) {
		this(ttl, new CompletableFuture<>(), new AtomicBoolean());
	}

	/**
	 * Ends the request, and returns false if the request had ended before.
	 */
	boolean end() {
		return this.over.compareAndSet(false, true);
	}

	void fail(RenewalOutcome failure) {
		if (end()) {
			this.outcome.complete(failure);
		}
	}

}

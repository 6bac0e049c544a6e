package dev.redlock.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.RequestListener.RenewalOutcome;

/**
 * A request to extend a lease. It ends with its outcome, or earlier if its caller gives
 * up. After that, it changes nothing. Thread-safe.
 */
final class ExtensionRequest {

	private final Duration ttl;

	private final CompletableFuture<RenewalOutcome> outcome = new CompletableFuture<>();

	private final AtomicBoolean over = new AtomicBoolean();

	ExtensionRequest(Duration ttl) {
		this.ttl = ttl;
	}

	Duration ttl() {
		return this.ttl;
	}

	/**
	 * Returns a future that completes with the outcome, unless the request is given up.
	 */
	CompletableFuture<RenewalOutcome> outcome() {
		return this.outcome;
	}

	/**
	 * Ends the request.
	 * @return whether it had not ended before
	 */
	boolean end() {
		return this.over.compareAndSet(false, true);
	}

	boolean isOver() {
		return this.over.get();
	}

}

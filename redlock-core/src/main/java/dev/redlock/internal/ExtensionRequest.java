package dev.redlock.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.RequestListener.RenewalOutcome;

/**
 * A request to extend a lease. It ends with its outcome, or earlier if its caller gives
 * up. After that, it changes nothing. Thread-safe.
 */
record ExtensionRequest(Duration ttl, CompletableFuture<RenewalOutcome> outcome, AtomicBoolean over) {

	ExtensionRequest(Duration ttl) {
		this(ttl, new CompletableFuture<>(), new AtomicBoolean());
	}

	/**
	 * Ends the request.
	 * @return whether it had not ended before
	 */
	boolean end() {
		return this.over.compareAndSet(false, true);
	}

}

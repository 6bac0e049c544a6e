package dev.redlock.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.RequestListener.RenewalOutcome;

/**
 * A request to extend a lease. The request ends with its outcome, or earlier if its
 * caller gives up. A request that has ended changes nothing. This class is thread-safe.
 */
record ExtensionRequest(Duration ttl, CompletableFuture<RenewalOutcome> outcome, AtomicBoolean over) {

	ExtensionRequest(Duration ttl) {
		this(ttl, new CompletableFuture<>(), new AtomicBoolean());
	}

	/**
	 * Ends the request.
	 * @return true if this call ended the request, false if the request had ended before
	 */
	boolean end() {
		return this.over.compareAndSet(false, true);
	}

}

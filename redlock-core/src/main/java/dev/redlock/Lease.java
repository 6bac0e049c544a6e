package dev.redlock;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A lock that a majority of the nodes has granted, for a limited time.
 * <p>
 * Trust a lease only while {@link #isValid()} returns true. The clock alone can end the
 * validity. If that happens before the release, {@link #lost()} completes. No lock can
 * stop a paused holder from writing after the validity has ended; the resource can, by
 * comparing the {@link #fence()}.
 * <p>
 * Leases are thread-safe and not bound to the thread that acquired them.
 */
public interface Lease extends AutoCloseable {

	/**
	 * Returns the names of the locked resources.
	 * @return the names, sorted
	 */
	Set<String> resources();

	/**
	 * Returns the random proof of ownership, which is the value of the key on the nodes.
	 * Treat it as a secret: anyone with the token can release the lease.
	 * @return the token
	 */
	String token();

	/**
	 * Returns a number greater than the fence of every lease on one of these resources
	 * that was granted before this lease was requested.
	 * @return the fence
	 * @throws IllegalStateException if fencing is disabled
	 */
	long fence();

	/**
	 * Returns the time for which the lease may still be trusted.
	 * @return the remaining time, zero when the lease is lost or released
	 */
	Duration remaining();

	/**
	 * Returns whether the lease may be trusted now. It may return false too early, but
	 * never true too late.
	 * @return true while a majority certainly holds the lease
	 */
	boolean isValid();

	/**
	 * Asks the nodes to keep the lease for at least the given time from now, and waits
	 * for the answer of a majority. A failed extension changes nothing.
	 * @param ttl the new ttl, at most {@code redlock.max-ttl}
	 * @return whether a majority agreed while the lease was still valid
	 */
	boolean extend(Duration ttl);

	/**
	 * Asks for an extension like {@link #extend(Duration)}, without waiting.
	 * @param ttl the new ttl, at most {@code redlock.max-ttl}
	 * @return completes with whether a majority agreed while the lease was still valid
	 */
	CompletionStage<Boolean> extendAsync(Duration ttl);

	/**
	 * Returns a stage that completes when the lease is lost, no later than the end of its
	 * validity. It never completes for a lease that is released in time.
	 * @return completes with the reason, on a thread for callbacks
	 */
	CompletionStage<LossReason> lost();

	/**
	 * Releases the lease on all nodes. Returns when the release has been submitted or,
	 * with {@code redlock.release.await}, when a majority has confirmed it. Further calls
	 * do nothing.
	 */
	@Override
	void close();

	/**
	 * Releases the lease on all nodes, without waiting.
	 * @return completes when each node has answered or timed out
	 */
	CompletionStage<ReleaseResult> releaseAsync();

	/**
	 * Releases the lease on all nodes like {@link #releaseAsync()}, because no work has
	 * begun under it. A tick that is marked after the work is not marked, so another
	 * owner may run it.
	 * @return completes when each node has answered or timed out
	 */
	default CompletionStage<ReleaseResult> releaseUnused() {
		return releaseAsync();
	}

}

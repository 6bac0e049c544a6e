package dev.redlock;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A lock that a majority of the nodes has granted, for a limited time.
 * <p>
 * A lease is trusted only while {@link #isValid()}, which the clock alone can end. When
 * that happens before it was released, {@link #lost()} completes. After its validity no
 * lock can keep a paused holder from writing; the resource can, by comparing the
 * {@link #fence()}.
 * <p>
 * Leases are thread-safe, and not bound to the thread that acquired them.
 */
public interface Lease extends AutoCloseable {

	/**
	 * What is locked.
	 * @return the names, sorted
	 */
	Set<String> resources();

	/**
	 * The random proof of ownership: the value of the key on the nodes. Treat it as a
	 * secret: who knows it can release the lease.
	 * @return the token
	 */
	String token();

	/**
	 * A number that is greater than that of every lease handed out for one of these
	 * resources before this one was asked for.
	 * @return the fence
	 * @throws IllegalStateException if fencing is disabled
	 */
	long fence();

	/**
	 * How long the lease may still be trusted.
	 * @return the time that is left, zero when the lease is lost or released
	 */
	Duration remaining();

	/**
	 * Whether the lease may be trusted now. May say false too early, never true too late.
	 * @return true while a majority surely holds it
	 */
	boolean isValid();

	/**
	 * Asks a majority to keep the lease for at least the given time from now, and waits
	 * for the answer. A failed extension changes nothing.
	 * @param ttl the new ttl, at most {@code redlock.max-ttl}
	 * @return whether a majority agreed while the lease was still valid
	 */
	boolean extend(Duration ttl);

	/**
	 * Like {@link #extend(Duration)}, without waiting.
	 * @param ttl the new ttl, at most {@code redlock.max-ttl}
	 * @return completes with whether a majority agreed while the lease was still valid
	 */
	CompletionStage<Boolean> extendAsync(Duration ttl);

	/**
	 * Tells of the loss of the lease, no later than the end of its validity. Never
	 * completes for a lease that is released in time.
	 * @return completes with the reason, on a thread for callbacks
	 */
	CompletionStage<LossReason> lost();

	/**
	 * Lets another process go on with the lease, by {@link Redlock#takeUp(String)}. From
	 * this moment on this object is no longer a lease: it is not valid, cannot be
	 * extended, and releases nothing. If nobody takes the lease up, it ends with its ttl.
	 * @return the ticket for the other process; a secret, good for one take-up
	 * @throws IllegalStateException if the lease is no longer valid
	 * @throws UnsupportedOperationException if this object is not in charge of the lease
	 */
	default String handOver() {
		throw new UnsupportedOperationException("Only who acquired the lease on " + resources() + " can hand it over");
	}

	/**
	 * Releases the lease on all nodes. Returns once the release is on its way, or, with
	 * {@code redlock.release.await}, once a majority has confirmed it. Further calls do
	 * nothing.
	 */
	@Override
	void close();

	/**
	 * Releases the lease on all nodes.
	 * @return completes when each node has answered or timed out
	 */
	CompletionStage<ReleaseResult> releaseAsync();

}

package dev.redlock;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A lock that a majority of the nodes has granted, for a limited time.
 * <p>
 * Trust a lease only while {@link #isValid()} returns true. The validity ends at a fixed
 * time unless the lease is extended, even if no node answers. If the validity ends before
 * the release, {@link #lost()} completes. No lock can stop a paused holder from writing
 * after the validity has ended. The resource itself can refuse such a write by comparing
 * the {@link #fence()}.
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
	 * Returns a number greater than the fence of every lease on one of these resources
	 * that was granted before this lease was requested.
	 * <p>
	 * Names that were locked by one call have one fence. In nested calls, this object may
	 * combine several leases, each with its own fence. Ask for the fence of one name by
	 * {@link #fence(String)}.
	 * @throws IllegalStateException if the resources have no fence in common, if the
	 * lease is a {@linkplain #isPermit() permit}, or if fencing is disabled
	 */
	long fence();

	/**
	 * Returns the fence of one of the resources. Guard the data of this resource with
	 * this fence, even in nested calls.
	 * @param resource the name of the locked resource
	 * @throws IllegalArgumentException if this lease does not cover the resource
	 * @throws IllegalStateException if the lease is a permit, or if fencing is disabled
	 */
	default long fence(String resource) {
		return forResource(resource).fence();
	}

	/**
	 * Returns whether this lease is one of several permits of a name. Permits have no
	 * fence, because several of their owners write at the same time.
	 * @return true for a permit, false for a lock
	 */
	default boolean isPermit() {
		return false;
	}

	/**
	 * Returns the one lease of this object that covers a resource, with the validity and
	 * fence of this resource.
	 * @param resource the name of the locked resource
	 * @return this lease, or the part of it that was granted for the resource; closing
	 * the part releases nothing
	 * @throws IllegalArgumentException if this lease does not cover the resource
	 */
	default Lease forResource(String resource) {
		if (!resources().contains(SafeNames.of(resource))) {
			throw new IllegalArgumentException("The lease covers " + resources() + " and not '" + resource
					+ "'. Ask for a name that the lease covers, or lock the other name too.");
		}
		return this;
	}

	/**
	 * Returns the time for which the lease may still be trusted.
	 * @return the remaining time, zero when the lease is lost or released
	 */
	Duration remaining();

	/**
	 * Returns whether the lease may be trusted now. The answer may turn false too early,
	 * but never too late.
	 * @return true while a majority certainly holds the lease
	 */
	boolean isValid();

	/**
	 * Asks the nodes to keep the lease for at least the given time from now. Waits for
	 * the answer of a majority, at most for twice the node timeout. A failed extension
	 * changes nothing, even if nodes answer later.
	 * <p>
	 * If this object combines several leases, as in nested calls, the leases are extended
	 * one after the other until an extension fails. The leases that were extended keep
	 * the longer time, and {@link #remaining()} is the shortest time of all. If one of
	 * the leases is lost, no lease is extended.
	 * @param ttl the new ttl, at most {@code redlock.max-ttl}
	 * @return true if a majority extended the lease while it was still valid
	 */
	boolean extend(Duration ttl);

	/**
	 * Asks for an extension like {@link #extend(Duration)}, without waiting.
	 * @param ttl the new ttl, at most {@code redlock.max-ttl}
	 * @return completes with true if a majority extended the lease while it was still
	 * valid
	 */
	CompletionStage<Boolean> extendAsync(Duration ttl);

	/**
	 * Returns a stage that completes when the lease is lost. A lease whose validity ends
	 * before its release is lost too. Such a loss is reported at once, or up to half a
	 * second later if the machine was suspended. The stage never completes for a lease
	 * that is released while it is valid.
	 * @return completes with the reason for the loss, on the executor for callbacks. If
	 * this object combines several leases, the first loss counts
	 */
	CompletionStage<LossReason> lost();

	/**
	 * Releases the lease on all nodes. This method returns when the release has been
	 * submitted or, with {@code redlock.release.await}, when a majority has confirmed it.
	 * Further calls of this method do nothing.
	 */
	@Override
	void close();

	/**
	 * Releases the lease on all nodes, without waiting.
	 * @return completes when each node has answered or its node timeout has passed
	 */
	CompletionStage<ReleaseResult> releaseAsync();

}

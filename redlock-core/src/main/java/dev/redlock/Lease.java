package dev.redlock;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A lock that a majority of the nodes has granted, for a limited time.
 * <p>
 * Trust a lease only while {@link #isValid()} returns true. Without an extension, the
 * validity ends at a fixed time, even if no node answers. If the validity ends before the
 * release, {@link #lost()} completes. No lock can stop a paused holder from writing after
 * the validity has ended. The protected resource itself can refuse late writes by
 * comparing the {@link #fence()}.
 * <p>
 * Leases are thread-safe and not bound to the thread that acquired them.
 */
public interface Lease extends AutoCloseable {

	/**
	 * Returns the names of the locked resources, sorted.
	 */
	Set<String> resources();

	/**
	 * Returns the fencing token of the lease. Every lease that was granted on a resource
	 * before this lease was requested has a smaller fence.
	 * <p>
	 * If several nested calls locked the resources, use {@link #fence(String)}, because
	 * each call's lock has its own fence.
	 * @throws IllegalStateException if several calls locked the resources, if the lease
	 * is a {@linkplain #isPermit() permit}, or if fencing is disabled
	 */
	long fence();

	/**
	 * Returns the fence of one of the resources. Send this fence with each write to the
	 * resource, so that late writes can be refused.
	 * @throws IllegalArgumentException if this lease does not cover the resource
	 * @throws IllegalStateException if the lease is a permit, or if fencing is disabled
	 */
	default long fence(String resource) {
		return forResource(resource).fence();
	}

	/**
	 * Returns whether this lease is one of several permits of a resource, like a permit
	 * of a semaphore. Permits have no fence, because several of their owners write at the
	 * same time.
	 */
	default boolean isPermit() {
		return false;
	}

	/**
	 * Returns the lease that locks one of the resources. If several nested calls locked
	 * the resources, closing the returned lease releases nothing.
	 * @throws IllegalArgumentException if this lease does not cover the resource
	 */
	default Lease forResource(String resource) {
		if (!resources().contains(SafeNames.of(resource))) {
			throw new IllegalArgumentException("The lease covers " + resources() + " and not '" + resource
					+ "'. Pass a name that the lease covers, or lock '" + resource + "' too.");
		}
		return this;
	}

	/**
	 * Returns the time for which the lease may still be trusted, zero when the lease is
	 * lost or released.
	 */
	Duration remaining();

	/**
	 * Returns whether the lease may be trusted now. Possibly returns false too early, but
	 * never returns true too late.
	 */
	boolean isValid();

	/**
	 * Asks the nodes to keep the lease for at least the given time from now. Waits for
	 * the answer of a majority, at most for twice the node timeout. A failed extension
	 * changes nothing, even if nodes answer later. An extension beyond
	 * {@link LockRequest#maxHold()} fails.
	 * <p>
	 * If several nested calls locked the resources, their leases are extended one after
	 * the other until an extension fails. If one of these leases is lost, none of them is
	 * extended.
	 * @param ttl the new ttl, at most {@code redlock.max-ttl}
	 * @return true if a majority extended the lease while it was still valid
	 */
	boolean extend(Duration ttl);

	/**
	 * Asks for an extension like {@link #extend(Duration)}, without waiting.
	 * @return a stage that completes with true if a majority extended the lease while it
	 * was still valid
	 */
	CompletionStage<Boolean> extendAsync(Duration ttl);

	/**
	 * Returns a stage that completes when the lease is lost. A lease is also lost when
	 * its validity ends before its release. A loss is reported up to half a second late
	 * if the machine was suspended. The stage never completes for a lease that is
	 * released while it is valid.
	 * @return a stage that completes with the reason for the loss, on the executor of
	 * {@link Redlock.Builder#callbacks}
	 */
	CompletionStage<LossReason> lost();

	/**
	 * Ends this lease without releasing it, and returns a ticket with which one request,
	 * in any process, carries the lease on: {@link LockRequest#succeeding}. Until then,
	 * the nodes keep the lock for the rest of its ttl. This process no longer renews the
	 * lease, {@link #close()} does nothing, and {@link #fence()} throws, except in the
	 * transaction of the method that detaches the lease, for the writes at its commit. If
	 * that transaction rolls back, the lease is released, and the ticket does not work.
	 * <p>
	 * A ticket is text, and a secret: code that has the ticket can take or release the
	 * lock. {@code maxHold} does not limit a chain of tickets.
	 * @return the secret ticket
	 * @throws LockLostException if the lease is no longer valid
	 * @throws IllegalStateException if this lease cannot be detached: the lease of a
	 * nested call or with nested calls that run, a permit, the lock of a job or a leader,
	 * a lease without a fence, before {@code atLeast} has passed, and in an outer
	 * transaction that keeps the lease
	 */
	default String detach() {
		throw new IllegalStateException("This kind of lease on " + resources() + " cannot be detached");
	}

	/**
	 * Extends the lease, and then detaches it as {@link #detach()} does. Waits for the
	 * extension as {@link #extend} does.
	 * @param ttl the time for which the nodes keep the lock from now on, at most
	 * {@code redlock.max-ttl}
	 * @return the secret ticket
	 * @throws IllegalStateException if too few nodes extended the lease, or
	 * {@code maxHold} of its request does not allow the extension; the lease is then not
	 * detached
	 */
	default String detach(Duration ttl) {
		if (!extend(ttl) && isValid()) {
			throw new IllegalStateException("The lease on " + resources() + " was not detached, because it was not "
					+ "extended to " + ttl.toMillis() + " ms: too few nodes answered, or maxHold of the request does "
					+ "not allow it. The lease is as before. Try again, or call detach() without a ttl.");
		}
		return detach();
	}

	/**
	 * Releases the lease on all nodes. This method returns when the release has been
	 * submitted or, with {@code redlock.release.await}, when it is certain whether a
	 * majority confirms it, after twice the node timeout at the latest. Further calls of
	 * this method do nothing.
	 */
	@Override
	void close();

	/**
	 * Releases the lease on all nodes, without waiting.
	 * @return a stage that completes when each node has answered or its node timeout has
	 * passed
	 */
	CompletionStage<ReleaseResult> releaseAsync();

}

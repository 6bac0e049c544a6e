package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.redlock.LockNotAcquiredException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a request for a lock: a lease, or the reason why the lock was not
 * acquired.
 */
public final class LockAttempt {

	private final Set<String> resources;

	private final @Nullable Lease lease;

	private final @Nullable Reason reason;

	private final List<NodeVote> votes;

	private final int tries;

	private final Duration waited;

	private LockAttempt(Set<String> resources, @Nullable Lease lease, @Nullable Reason reason, List<NodeVote> votes,
			int tries, Duration waited) {
		this.resources = resources;
		this.lease = lease;
		this.reason = reason;
		this.votes = votes;
		this.tries = tries;
		this.waited = waited;
	}

	/**
	 * Creates the outcome of a request that acquired its lock.
	 * @param lease the lease
	 * @param votes the votes of the nodes in the last try
	 * @param tries the number of tries
	 * @param waited the time from the request to its outcome
	 * @return the outcome
	 */
	public static LockAttempt won(Lease lease, List<NodeVote> votes, int tries, Duration waited) {
		return new LockAttempt(lease.resources(), lease, null, votes, tries, waited);
	}

	/**
	 * Creates the outcome of a request that did not acquire its lock.
	 * @param resources the resources to lock
	 * @param reason the reason for the failure
	 * @param votes the votes of the nodes in the last try, empty if the nodes were not
	 * asked
	 * @param tries the number of tries
	 * @param waited the time from the request to its failure
	 * @return the outcome
	 */
	public static LockAttempt failed(Set<String> resources, Reason reason, List<NodeVote> votes, int tries,
			Duration waited) {
		return new LockAttempt(resources, null, reason, votes, tries, waited);
	}

	/**
	 * Returns the lease, if the lock was acquired.
	 * @return the lease
	 */
	public Optional<Lease> lease() {
		return Optional.ofNullable(this.lease);
	}

	/**
	 * Returns the lease, or throws an exception that says why the lock was not acquired.
	 * @return the lease
	 * @throws LockNotAcquiredException if the lock was not acquired
	 */
	public Lease orThrow() {
		if (this.lease == null) {
			throw failure().orElseThrow();
		}
		return this.lease;
	}

	/**
	 * Returns an exception that says why the lock was not acquired.
	 * @return the exception to throw, empty if there is a lease
	 */
	public Optional<LockNotAcquiredException> failure() {
		return reason()
			.map((why) -> new LockNotAcquiredException(this.resources, why, this.votes, this.tries, this.waited));
	}

	/**
	 * Returns the reason why the lock was not acquired.
	 * @return the reason, empty if there is a lease
	 */
	public Optional<Reason> reason() {
		return Optional.ofNullable(this.reason);
	}

	/**
	 * Returns the votes of the nodes in the last try. A request that never asked the
	 * nodes returns the votes of the request in front of it in the queue, if there are
	 * any.
	 * @return the votes; the vote of a node that had not answered is null
	 */
	public List<NodeVote> votes() {
		return this.votes;
	}

	/**
	 * Returns how often the nodes were asked.
	 * @return the number of tries
	 */
	public int tries() {
		return this.tries;
	}

	/**
	 * Returns the time from the request to its outcome.
	 * @return the time
	 */
	public Duration waited() {
		return this.waited;
	}

}

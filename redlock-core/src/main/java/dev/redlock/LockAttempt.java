package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.redlock.LockNotAcquiredException.Reason;

/**
 * The outcome of a request for a lock: a lease, or the reason why the lock was not
 * acquired.
 *
 * @param votes the votes of the nodes in the last try, null for a node that had not
 * answered. If the request never asked the nodes, these are the votes that refused an
 * earlier request of this process, or none
 * @param tries how often the request asked the nodes
 * @param waited the time from the request to its outcome
 */
public record LockAttempt(Set<String> resources, Optional<Lease> lease, Optional<Reason> reason, List<NodeVote> votes,
		int tries, Duration waited) {

	/**
	 * Creates the outcome of a request that acquired its lock.
	 */
	public static LockAttempt won(Lease lease, List<NodeVote> votes, int tries, Duration waited) {
		return new LockAttempt(lease.resources(), Optional.of(lease), Optional.empty(), votes, tries, waited);
	}

	/**
	 * Creates the outcome of a request that did not acquire its lock.
	 */
	public static LockAttempt failed(Set<String> resources, Reason reason, List<NodeVote> votes, int tries,
			Duration waited) {
		return new LockAttempt(resources, Optional.empty(), Optional.of(reason), votes, tries, waited);
	}

	/**
	 * Returns the lease, or throws an exception that says why the lock was not acquired.
	 */
	public Lease orThrow() {
		return this.lease.orElseThrow(() -> failure().orElseThrow());
	}

	/**
	 * Returns an exception that says why the lock was not acquired, empty if there is a
	 * lease.
	 */
	public Optional<LockNotAcquiredException> failure() {
		return this.reason
			.map((why) -> new LockNotAcquiredException(this.resources, why, this.votes, this.tries, this.waited));
	}

}

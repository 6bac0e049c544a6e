package dev.redlock.spring.template;

import java.util.List;
import java.util.Optional;

import dev.redlock.Lease;
import dev.redlock.LockLostException;

/**
 * Keeps a lock after the work that took it has returned. If the hold is never ended, the
 * lock ends with its ttl, or at the limit of its renewal. Thread-safe.
 */
@FunctionalInterface
public interface LockHold {

	/**
	 * Ends the hold. Releases the lock, unless other work still needs it, without waiting
	 * for the answers of the nodes. Further calls do nothing.
	 * @return the loss of the lock, if it was lost before this call and the request does
	 * not ignore that
	 */
	Optional<LockLostException> end();

	/**
	 * Keeps a lease for longer than the work that it was given to.
	 * @param lease the lease that a template gave to the work that runs
	 * @return the hold
	 */
	static LockHold of(Lease lease) {
		List<BoundLease> kept = (lease instanceof LeaseView view)
				? view.bound().stream().filter(BoundLease::retain).toList() : List.of();
		if (kept.isEmpty()) {
			throw new IllegalArgumentException(lease + " is not the lease of work that runs under a template.");
		}
		return LockedWork.hold(() -> {
			Optional<LockLostException> loss = kept.stream().flatMap((each) -> each.loss().stream()).findFirst();
			kept.forEach((each) -> each.doneAsync(true));
			return loss;
		});
	}

}

package dev.redlock.spring.template;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.Lease;

/**
 * Keeps a lock after the work that took it has returned. If the hold is never ended, the
 * lock ends with its ttl, or at the limit of its renewal. Thread-safe.
 */
public final class LockHold {

	private final List<BoundLease> kept;

	private final AtomicBoolean ended = new AtomicBoolean();

	private LockHold(List<BoundLease> kept) {
		this.kept = kept;
	}

	/**
	 * Keeps a lease after the end of the work that it was given to.
	 * @param lease the lease that a template gave to the running work
	 * @return the hold
	 */
	public static LockHold of(Lease lease) {
		List<BoundLease> kept = (lease instanceof LeaseView view)
				? view.bound().stream().filter(BoundLease::retain).toList() : List.of();
		if (kept.isEmpty()) {
			throw new IllegalArgumentException(lease + " is not the lease of work that runs under a template.");
		}
		return new LockHold(kept);
	}

	/**
	 * Ends the hold. Releases the lock, unless other work still needs it, without waiting
	 * for the answers of the nodes. Further calls do nothing.
	 */
	public void end() {
		if (this.ended.compareAndSet(false, true)) {
			this.kept.forEach((lease) -> lease.doneAsync(true));
		}
	}

}

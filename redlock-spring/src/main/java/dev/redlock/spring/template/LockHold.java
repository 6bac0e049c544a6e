package dev.redlock.spring.template;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.Lease;

/**
 * Keeps a lock after the work that took it has returned. If {@link #end} is never called,
 * the lock ends with its ttl, or at the limit of its renewal. This class is thread-safe.
 */
public final class LockHold {

	private final List<BoundLease> kept;

	private final AtomicBoolean ended = new AtomicBoolean();

	private LockHold(List<BoundLease> kept) {
		this.kept = kept;
	}

	/**
	 * Keeps a lease after the end of the work that runs under it.
	 * @param lease the lease that a template passed to the running work
	 * @return the object that ends the hold
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
	 * Stops keeping the lock. The lock is released, unless other work still needs it,
	 * without waiting for the answers of the nodes. Further calls do nothing.
	 */
	public void end() {
		if (this.ended.compareAndSet(false, true)) {
			this.kept.forEach((lease) -> lease.doneAsync(true));
		}
	}

}

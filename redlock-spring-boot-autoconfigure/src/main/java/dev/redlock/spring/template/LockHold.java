package dev.redlock.spring.template;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.LockLostException;

/**
 * Keeps a lock after the work that took it has returned. A hold that is never ended does
 * not prolong the lock: the lock still ends with its ttl, or with the limit of its
 * renewal. Thread-safe.
 */
public final class LockHold {

	private final AtomicBoolean ended = new AtomicBoolean();

	private final LockedWork work;

	/**
	 * Keeps the leases that the work re-enters.
	 */
	LockHold(LockedWork work) {
		this.work = work;
	}

	/**
	 * Ends the hold. Releases the lock, unless other work still needs it. Further calls
	 * do nothing.
	 * @return the loss of the lock, if it was lost before this call and the request does
	 * not ignore that
	 */
	public Optional<LockLostException> end() {
		if (!this.ended.compareAndSet(false, true)) {
			return Optional.empty();
		}
		Optional<LockLostException> loss = this.work.loss();
		this.work.release();
		return loss;
	}

}

package dev.redlock.spring.template;

import java.util.Optional;

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

}

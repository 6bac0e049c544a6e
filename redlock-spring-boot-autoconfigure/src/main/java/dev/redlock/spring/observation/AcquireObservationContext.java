package dev.redlock.spring.observation;

import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * The context of the observation of a request for a lock.
 */
public final class AcquireObservationContext extends LockObservationContext {

	private volatile @Nullable LockAttempt attempt;

	/**
	 * Creates the context for a lock request.
	 * @param includeResources whether spans may show the names of the locked resources
	 */
	public AcquireObservationContext(LockRequest request, boolean includeResources) {
		super(request, includeResources);
	}

	/**
	 * Returns the result of the lock request, null before the request has ended.
	 */
	public @Nullable LockAttempt getAttempt() {
		return this.attempt;
	}

	/**
	 * Sets the result of the lock request.
	 */
	public void setAttempt(LockAttempt attempt) {
		this.attempt = attempt;
	}

}

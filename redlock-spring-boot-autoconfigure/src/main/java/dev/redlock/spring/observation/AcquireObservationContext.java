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
	 * Creates the context.
	 * @param request the request
	 * @param includeResources whether spans may name the locked resources
	 */
	public AcquireObservationContext(LockRequest request, boolean includeResources) {
		super(request, includeResources);
	}

	/**
	 * Returns the result of the request.
	 * @return the attempt, null before the request has ended
	 */
	public @Nullable LockAttempt getAttempt() {
		return this.attempt;
	}

	/**
	 * Sets the result of the request.
	 * @param attempt the attempt
	 */
	public void setAttempt(LockAttempt attempt) {
		this.attempt = attempt;
	}

}

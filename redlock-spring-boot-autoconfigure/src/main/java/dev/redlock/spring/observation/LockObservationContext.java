package dev.redlock.spring.observation;

import dev.redlock.LockRequest;
import io.micrometer.observation.Observation;

/**
 * The common part of the observations of a request and of a lease.
 */
abstract class LockObservationContext extends Observation.Context {

	private final LockRequest request;

	private final boolean includeResources;

	LockObservationContext(LockRequest request, boolean includeResources) {
		this.request = request;
		this.includeResources = includeResources;
	}

	/**
	 * Returns the request for the lock.
	 * @return the request
	 */
	public LockRequest getRequest() {
		return this.request;
	}

	/**
	 * Returns whether spans may name the locked resources.
	 * @return the value of {@code redlock.observation.include-resources}
	 */
	public boolean isIncludeResources() {
		return this.includeResources;
	}

}

package dev.redlock.spring.observation;

import dev.redlock.LockRequest;
import io.micrometer.observation.Observation;

/**
 * The common base class of the observation contexts of lock requests and leases.
 */
abstract class LockObservationContext extends Observation.Context {

	private final LockRequest request;

	private final boolean includeResources;

	LockObservationContext(LockRequest request, boolean includeResources) {
		this.request = request;
		this.includeResources = includeResources;
	}

	/**
	 * Returns the observed lock request.
	 */
	public LockRequest getRequest() {
		return this.request;
	}

	/**
	 * Returns whether spans may show the names of the locked resources.
	 */
	public boolean isIncludeResources() {
		return this.includeResources;
	}

}

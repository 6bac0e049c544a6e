package dev.redlock.spring.observation;

import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a request for a lock while it is observed.
 */
public final class AcquireObservationContext extends Observation.Context {

	private final LockRequest request;

	private volatile @Nullable LockAttempt attempt;

	/**
	 * Creates the context.
	 * @param request what is asked for
	 */
	public AcquireObservationContext(LockRequest request) {
		this.request = request;
	}

	/**
	 * What is asked for.
	 * @return the request
	 */
	public LockRequest getRequest() {
		return this.request;
	}

	/**
	 * How the request ended.
	 * @return the attempt, null while it goes on
	 */
	public @Nullable LockAttempt getAttempt() {
		return this.attempt;
	}

	/**
	 * Sets how the request ended.
	 * @param attempt the attempt
	 */
	public void setAttempt(LockAttempt attempt) {
		this.attempt = attempt;
	}

}

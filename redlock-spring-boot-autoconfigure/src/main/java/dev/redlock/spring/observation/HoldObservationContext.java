package dev.redlock.spring.observation;

import dev.redlock.HoldEnd;
import dev.redlock.LockRequest;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a lease while it is observed.
 */
public final class HoldObservationContext extends Observation.Context {

	private final LockRequest request;

	private volatile @Nullable HoldEnd end;

	/**
	 * Creates the context.
	 * @param request what was asked for
	 */
	public HoldObservationContext(LockRequest request) {
		this.request = request;
	}

	/**
	 * What was asked for.
	 * @return the request
	 */
	public LockRequest getRequest() {
		return this.request;
	}

	/**
	 * How the hold ended.
	 * @return the end, null while it goes on
	 */
	public @Nullable HoldEnd getEnd() {
		return this.end;
	}

	/**
	 * Sets how the hold ended.
	 * @param end the end
	 */
	public void setEnd(HoldEnd end) {
		this.end = end;
	}

}

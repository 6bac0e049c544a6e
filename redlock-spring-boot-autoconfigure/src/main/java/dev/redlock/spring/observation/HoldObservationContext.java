package dev.redlock.spring.observation;

import dev.redlock.LockRequest;
import dev.redlock.RequestListener.HoldEnd;
import org.jspecify.annotations.Nullable;

/**
 * The context of the observation of a lease.
 */
public final class HoldObservationContext extends LockObservationContext {

	private volatile @Nullable HoldEnd end;

	/**
	 * Creates the context.
	 * @param request the request that was granted
	 * @param includeResources whether spans may name the locked resources
	 */
	public HoldObservationContext(LockRequest request, boolean includeResources) {
		super(request, includeResources);
	}

	/**
	 * Returns how the lease ended.
	 * @return the end, null before the lease has ended
	 */
	public @Nullable HoldEnd getEnd() {
		return this.end;
	}

	/**
	 * Sets how the lease ended.
	 * @param end the end
	 */
	public void setEnd(HoldEnd end) {
		this.end = end;
	}

}

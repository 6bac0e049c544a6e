package dev.redlock.spring.observation;

import dev.redlock.LockRequest;
import dev.redlock.RequestListener.HoldEnd;
import org.jspecify.annotations.Nullable;

/**
 * The context of the observation of a lease, from its start to its end.
 */
public final class HoldObservationContext extends LockObservationContext {

	private volatile @Nullable HoldEnd end;

	/**
	 * Creates the context for a lease.
	 * @param request the lock request by which the lease was acquired
	 * @param includeResources whether spans may show the names of the locked resources
	 */
	public HoldObservationContext(LockRequest request, boolean includeResources) {
		super(request, includeResources);
	}

	/**
	 * Returns how the lease has ended, null before the lease has ended.
	 */
	public @Nullable HoldEnd getEnd() {
		return this.end;
	}

	/**
	 * Sets how the lease has ended.
	 */
	public void setEnd(HoldEnd end) {
		this.end = end;
	}

}

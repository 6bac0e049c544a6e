package dev.redlock.internal.lease;

import dev.redlock.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * Whether a lease was released, lost or detached. A lease that is still held may have
 * expired.
 */
record LeaseStatus(Phase phase, @Nullable LossReason reason) {

	static final LeaseStatus HELD = new LeaseStatus(Phase.HELD, null);

	static LeaseStatus lost(LossReason reason) {
		return new LeaseStatus(Phase.LOST, reason);
	}

	LeaseStatus detached() {
		return isHeld() ? new LeaseStatus(Phase.DETACHED, null) : this;
	}

	LeaseStatus released() {
		return isReleased() ? this : new LeaseStatus(Phase.RELEASED, this.reason);
	}

	boolean isHeld() {
		return this.phase == Phase.HELD;
	}

	boolean isDetached() {
		return this.phase == Phase.DETACHED;
	}

	boolean isReleased() {
		return this.phase == Phase.RELEASED;
	}

	/**
	 * Whether the lease was released or detached before it was lost.
	 */
	boolean isReleasedInTime() {
		return !isHeld() && this.reason == null;
	}

	enum Phase {

		HELD, LOST, DETACHED, RELEASED

	}

}

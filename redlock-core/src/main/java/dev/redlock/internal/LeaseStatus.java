package dev.redlock.internal;

import dev.redlock.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * Whether a lease was released or lost. A lease that was neither released nor lost may
 * still have expired.
 */
record LeaseStatus(Phase phase, @Nullable LossReason reason) {

	static final LeaseStatus HELD = new LeaseStatus(Phase.HELD, null);

	static LeaseStatus lost(LossReason reason) {
		return new LeaseStatus(Phase.LOST, reason);
	}

	LeaseStatus released() {
		return isReleased() ? this : new LeaseStatus(Phase.RELEASED, this.reason);
	}

	boolean isHeld() {
		return this.phase == Phase.HELD;
	}

	boolean isReleased() {
		return this.phase == Phase.RELEASED;
	}

	/**
	 * Whether the lease was released before it was lost.
	 */
	boolean isReleasedInTime() {
		return isReleased() && this.reason == null;
	}

	enum Phase {

		HELD, LOST, RELEASED

	}

}

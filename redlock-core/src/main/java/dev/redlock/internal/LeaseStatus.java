package dev.redlock.internal;

import dev.redlock.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * The status of a lease. It says nothing about the validity, which depends on the clock
 * alone.
 *
 * @param phase the phase of the lease
 * @param reason the reason for its loss, if it was lost
 */
record LeaseStatus(Phase phase, @Nullable LossReason reason) {

	static final LeaseStatus HELD = new LeaseStatus(Phase.HELD, null);

	static LeaseStatus lost(LossReason reason) {
		return new LeaseStatus(Phase.LOST, reason);
	}

	/**
	 * Returns the status after a release.
	 */
	LeaseStatus released() {
		return isOver() ? this : new LeaseStatus(Phase.RELEASED, this.reason);
	}

	boolean isHeld() {
		return this.phase == Phase.HELD;
	}

	/**
	 * Whether there is nothing left to release.
	 */
	boolean isOver() {
		return this.phase == Phase.RELEASED;
	}

	enum Phase {

		HELD, LOST, RELEASED

	}

}

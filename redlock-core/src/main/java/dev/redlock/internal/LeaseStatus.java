package dev.redlock.internal;

import dev.redlock.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * The status of a lease. The status says nothing about the validity, which depends on the
 * clock alone.
 *
 * @param phase the phase of the lease
 * @param reason the reason for the loss, if the lease was lost
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
	 * Whether the lease was released, so that no release is needed.
	 */
	boolean isOver() {
		return this.phase == Phase.RELEASED;
	}

	enum Phase {

		HELD, LOST, RELEASED

	}

}

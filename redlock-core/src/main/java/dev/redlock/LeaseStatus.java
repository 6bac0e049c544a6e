package dev.redlock;

import org.jspecify.annotations.Nullable;

/**
 * What has happened to a lease. Says nothing of its validity, which is a matter of the
 * clock alone.
 *
 * @param phase what has happened
 * @param reason why it was lost, if it was
 */
record LeaseStatus(Phase phase, @Nullable LossReason reason) {

	static final LeaseStatus HELD = new LeaseStatus(Phase.HELD, null);

	static final LeaseStatus HANDED_OVER = new LeaseStatus(Phase.HANDED_OVER, null);

	static LeaseStatus lost(LossReason reason) {
		return new LeaseStatus(Phase.LOST, reason);
	}

	/**
	 * The same lease after its release.
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
		return this.phase == Phase.RELEASED || this.phase == Phase.HANDED_OVER;
	}

	enum Phase {

		HELD, LOST, RELEASED, HANDED_OVER

	}

}

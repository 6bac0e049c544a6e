package dev.redlock;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * Where a lease is in its life. Says nothing of its validity, which is a matter of the
 * clock alone.
 *
 * @param phase what has happened to it
 * @param released what came of the release, once there is nothing left to release
 */
record LeaseState(Phase phase, @Nullable CompletableFuture<ReleaseResult> released) {

	static final LeaseState HELD = new LeaseState(Phase.HELD, null);

	static final LeaseState LOST = new LeaseState(Phase.LOST, null);

	static LeaseState released(CompletableFuture<ReleaseResult> result) {
		return new LeaseState(Phase.RELEASED, result);
	}

	static LeaseState handedOver(int nodes) {
		return new LeaseState(Phase.HANDED_OVER, CompletableFuture.completedFuture(new ReleaseResult(0, nodes, true)));
	}

	/**
	 * Whether nothing has ended the lease so far.
	 */
	boolean isOpen() {
		return this.phase == Phase.HELD;
	}

	/**
	 * Whether the nodes have been told to forget the lease.
	 */
	boolean isReleased() {
		return this.phase == Phase.RELEASED;
	}

	/**
	 * What has happened to a lease.
	 */
	enum Phase {

		HELD, LOST, RELEASED, HANDED_OVER

	}

}

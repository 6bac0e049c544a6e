package dev.redlock;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * Where a lease is in its life.
 *
 * @param name for people
 * @param released what came of the release, once there is nothing left to release
 */
record LeaseState(String name, @Nullable CompletableFuture<ReleaseResult> released) {

	static final LeaseState HELD = new LeaseState("HELD", null);

	static final LeaseState LOST = new LeaseState("LOST", null);

	static LeaseState released(CompletableFuture<ReleaseResult> result) {
		return new LeaseState("RELEASED", result);
	}

	static LeaseState handedOver(int nodes) {
		return new LeaseState("HANDED_OVER", CompletableFuture.completedFuture(new ReleaseResult(0, nodes, true)));
	}

}

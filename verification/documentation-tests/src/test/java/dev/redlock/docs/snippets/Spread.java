package dev.redlock.docs.snippets;

import dev.redlock.LockRequest;

/**
 * What the page about capacity shows.
 */
final class Spread {

	private Spread() {
	}

	// region: capacity-instances
	static LockRequest spread(String name) {
		LockRequest request = LockRequest.of(name);
		return (Math.floorMod(name.hashCode(), 2) == 0) ? request.withInstances("a1", "b1", "c1")
				: request.withInstances("a2", "b2", "c2");
	}

	// endregion

}

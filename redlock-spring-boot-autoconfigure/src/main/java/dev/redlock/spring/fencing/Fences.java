package dev.redlock.spring.fencing;

/**
 * What all guards ask of a fence.
 */
final class Fences {

	private Fences() {
	}

	static void check(long fence) {
		if (fence <= 0) {
			throw new IllegalArgumentException("A fence is more than zero, not " + fence
					+ ". Take it from the lease: CurrentLease.require().fence().");
		}
	}

}

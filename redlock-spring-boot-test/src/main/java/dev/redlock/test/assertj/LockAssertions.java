package dev.redlock.test.assertj;

import dev.redlock.Redlock;

/**
 * Where assertions on locks begin. <pre class="code">
 * assertThatLock(redlock, "stock:42").isHeld();
 * </pre>
 */
public final class LockAssertions {

	private LockAssertions() {
	}

	/**
	 * Begins assertions on a lock. Each asks the nodes anew, so that they can be awaited.
	 * @param redlock the lock
	 * @param resource the name of what may be locked
	 * @return the assertions
	 */
	public static LockAssert assertThatLock(Redlock redlock, String resource) {
		return new LockAssert(redlock, resource);
	}

}

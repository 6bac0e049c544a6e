package dev.redlock.test.assertj;

import dev.redlock.Redlock;

/**
 * The entry point to assertions on locks. <pre class="code">
 * assertThatLock(redlock, "stock:42").isHeld();
 * </pre>
 */
public final class LockAssertions {

	private LockAssertions() {
	}

	/**
	 * Begins assertions on a lock. Each of them asks the nodes again, so a test can await
	 * it.
	 * @param redlock the lock
	 * @param resource the name of what may be locked
	 * @return the assertions
	 */
	public static LockAssert assertThatLock(Redlock redlock, String resource) {
		return new LockAssert(redlock, resource);
	}

}

package dev.redlock.spring.template;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LossReason;

/**
 * Lets code insist that it runs under a lock, which proves in production that the proxy
 * is there and that nobody calls around it. <pre class="code">
 * &#64;RedLock("stock:#{#sku}")
 * public void sell(String sku) {
 *     RedLockAssert.assertLocked("stock:" + sku);
 *     …
 * }</pre>
 * <p>
 * Thread-safe. It asks the leases of the current thread ({@link CurrentLease}), so it
 * belongs in the method itself and not in what the method leaves to other threads.
 */
public final class RedLockAssert {

	private RedLockAssert() {
	}

	/**
	 * Insists on a lock on whatever it may be.
	 * @throws IllegalStateException if the current thread works under no lock
	 * @throws LockLostException if it does, but the lock is lost
	 */
	public static void assertLocked() {
		requireValid(CurrentLease.require());
	}

	/**
	 * Insists on a lock on each of the resources.
	 * @param resources the names of what must be locked
	 * @throws IllegalStateException if the current thread does not hold one of them
	 * @throws LockLostException if it does, but the lock is lost
	 */
	public static void assertLocked(String... resources) {
		if (resources.length == 0) {
			throw new IllegalArgumentException("Name at least one resource, or call assertLocked()");
		}
		for (String resource : SafeNames.of(Arrays.asList(resources))) {
			requireValid(CurrentLease.forResource(resource).orElseThrow(() -> notLocked(resource)));
		}
	}

	/**
	 * Satisfies all assertions of the current thread, for tests of code that insists on a
	 * lock, without any lock. Close it in the same thread, best by
	 * {@code try (var mode = RedLockAssert.testMode())}.
	 * @return the test mode, until it is closed
	 */
	public static TestMode testMode() {
		return new TestMode(PretendedLease.ofEverything());
	}

	/**
	 * Like {@link #testMode()}, for some resources only.
	 * @param resources the names of what counts as locked
	 * @return the test mode, until it is closed
	 */
	public static TestMode testMode(String... resources) {
		return new TestMode(PretendedLease.of(SafeNames.of(List.of(resources))));
	}

	private static void requireValid(Lease lease) {
		if (!lease.isValid()) {
			throw new LockLostException(lease.resources(),
					lease.lost().toCompletableFuture().getNow(LossReason.EXPIRED));
		}
	}

	private static IllegalStateException notLocked(String resource) {
		Set<String> held = CurrentLease.get().map(Lease::resources).orElse(Set.of());
		return new IllegalStateException("This code insists on the lock on " + resource + ", and the current thread "
				+ (held.isEmpty() ? "holds none" : "holds that on " + held)
				+ ". Call it through the Spring proxy of a bean with @RedLock, or inside RedLockTemplate.execute.");
	}

	/**
	 * A span of a test in which assertions are satisfied. A method with {@code @RedLock}
	 * that is called in it takes its real lock all the same.
	 */
	public static final class TestMode implements AutoCloseable {

		private final CurrentLease.Scope scope;

		private TestMode(Lease lease) {
			this.scope = CurrentLease.open(lease);
		}

		/**
		 * Ends the test mode.
		 */
		@Override
		public void close() {
			this.scope.close();
		}

	}

}

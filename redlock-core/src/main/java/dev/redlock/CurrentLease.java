package dev.redlock;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.redlock.internal.LeaseScope;

/**
 * Access to the lease under which the current thread works.
 * <p>
 * Locked methods and templates set it while their work runs. The lock itself never
 * depends on the current thread.
 */
public final class CurrentLease {

	private CurrentLease() {
	}

	/**
	 * Returns the lease under which the current thread works. It covers exactly the names
	 * that the innermost call asked for.
	 * @return the innermost lease, empty outside of a lock
	 */
	public static Optional<Lease> get() {
		return LeaseScope.current();
	}

	/**
	 * Returns the lease under which the current thread works.
	 * @return the innermost lease
	 * @throws IllegalStateException outside of a lock
	 */
	public static Lease require() {
		return get().orElseThrow(() -> new IllegalStateException(
				"This code must run under a lock, but the current thread holds none. Call it through the Spring proxy of"
						+ " a bean with @RedLock, or inside RedLockTemplate.execute."));
	}

	/**
	 * Returns the innermost lease of the current thread on a resource. Claim the data of
	 * this resource with its fence, even in nested calls.
	 * @param resource the name of the locked resource
	 * @return the lease, empty if this thread has none on the resource
	 */
	public static Optional<Lease> forResource(String resource) {
		String name = SafeNames.of(resource);
		return all().stream()
			.filter((lease) -> lease.resources().contains(name))
			.findFirst()
			.map((lease) -> lease.forResource(name));
	}

	/**
	 * Returns the innermost lease of the current thread on a resource, like
	 * {@link #forResource}.
	 * @param resource the name of the locked resource
	 * @return the lease
	 * @throws IllegalStateException if this thread has none on the resource
	 */
	public static Lease require(String resource) {
		return forResource(resource).orElseThrow(() -> {
			Set<String> held = new TreeSet<>();
			all().forEach((lease) -> held.addAll(lease.resources()));
			return new IllegalStateException("This code needs the lock on " + resource + ", and the current thread "
					+ (held.isEmpty() ? "holds none" : "holds that on " + held)
					+ ". Call it through the Spring proxy of a bean with @RedLock, or inside RedLockTemplate.execute.");
		});
	}

	/**
	 * Returns all leases under which the current thread works.
	 * @return the leases, the innermost first
	 */
	public static List<Lease> all() {
		return LeaseScope.all();
	}

}

package dev.redlock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * Gives access to the lease under which the current thread works.
 * <p>
 * While a method with {@code @RedLock} or a callback of {@code RedLockTemplate} runs, its
 * lease is the current lease.
 */
public final class CurrentLease implements AutoCloseable {

	private static final ThreadLocal<@Nullable CurrentLease> INNERMOST = new ThreadLocal<>();

	private final Lease lease;

	private final @Nullable CurrentLease outer;

	/**
	 * What is current again when this scope is closed.
	 */
	private final @Nullable CurrentLease before;

	private CurrentLease(Lease lease, @Nullable CurrentLease outer, @Nullable CurrentLease before) {
		this.lease = lease;
		this.outer = outer;
		this.before = before;
	}

	/**
	 * Makes a lease the current lease of this thread. Call this method only in code that
	 * has acquired the lease, because all callers of {@link #get()} trust the lease.
	 * @return an object to close on the same thread, which makes the previous lease
	 * current again
	 */
	public static CurrentLease open(Lease lease) {
		CurrentLease innermost = new CurrentLease(lease, INNERMOST.get(), INNERMOST.get());
		INNERMOST.set(innermost);
		return innermost;
	}

	/**
	 * Makes exactly these leases current on this thread, as a coroutine needs that
	 * resumes on any thread. All other leases of the thread are hidden until the returned
	 * object is closed.
	 * @param leases at least one lease, the innermost first
	 * @return an object to close on the same thread, which makes the previous leases
	 * current again
	 */
	public static CurrentLease replaceBy(List<Lease> leases) {
		CurrentLease before = INNERMOST.get();
		CurrentLease outer = null;
		for (int i = leases.size() - 1; i > 0; i--) {
			outer = new CurrentLease(leases.get(i), outer, outer);
		}
		CurrentLease innermost = new CurrentLease(leases.get(0), outer, before);
		INNERMOST.set(innermost);
		return innermost;
	}

	/**
	 * Returns the lease of the innermost locked call on the current thread. The lease
	 * covers exactly the resources that the locked call requested.
	 */
	public static Optional<Lease> get() {
		return all().stream().findFirst();
	}

	/**
	 * Returns the lease of the innermost locked call on the current thread.
	 * @throws IllegalStateException if the thread has no current lease
	 */
	public static Lease require() {
		return get().orElseThrow(() -> new IllegalStateException(
				"This code must run under a lock, but the current thread holds no lock. Call this code through the "
						+ "Spring proxy of a bean with @RedLock, or inside RedLockTemplate.execute."));
	}

	/**
	 * Returns the innermost lease of the current thread on a resource. Send the fence of
	 * this lease with each write to the resource.
	 */
	public static Optional<Lease> forResource(String resource) {
		String name = SafeNames.of(resource);
		return all().stream()
			.filter((lease) -> lease.resources().contains(name))
			.findFirst()
			.map((lease) -> lease.forResource(name));
	}

	/**
	 * Returns the innermost lease of the current thread on a resource.
	 * @throws IllegalStateException if the thread has no lease on the resource
	 */
	public static Lease require(String resource) {
		return forResource(resource).orElseThrow(() -> {
			Set<String> held = new TreeSet<>();
			all().forEach((lease) -> held.addAll(lease.resources()));
			return new IllegalStateException("This code needs the lock on " + resource + ", and the current thread "
					+ (held.isEmpty() ? "holds no lock" : "holds only the lock on " + held)
					+ ". Call this code through the Spring proxy of a bean with @RedLock, or inside "
					+ "RedLockTemplate.execute.");
		});
	}

	/**
	 * Returns all leases under which the current thread works, the innermost first.
	 */
	public static List<Lease> all() {
		List<Lease> leases = new ArrayList<>();
		for (CurrentLease each = INNERMOST.get(); each != null; each = each.outer) {
			leases.add(each.lease);
		}
		return leases;
	}

	/**
	 * Makes the previous lease the current lease again.
	 */
	@Override
	public void close() {
		if (this.before != null) {
			INNERMOST.set(this.before);
		}
		else {
			INNERMOST.remove();
		}
	}

}

package dev.redlock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import org.jspecify.annotations.Nullable;

/**
 * The part of a thread's work during which one lease is its {@link CurrentLease}. Code
 * that runs work under a lock opens it, and closes it on the same thread.
 */
public final class LeaseScope implements AutoCloseable {

	private static final ThreadLocal<@Nullable LeaseScope> INNERMOST = new ThreadLocal<>();

	private final Lease lease;

	private final @Nullable LeaseScope outer;

	private LeaseScope(Lease lease, @Nullable LeaseScope outer) {
		this.lease = lease;
		this.outer = outer;
	}

	/**
	 * Makes a lease the current one of this thread until the scope is closed.
	 * @param lease the lease
	 * @return the scope, to be closed on the same thread
	 */
	public static LeaseScope open(Lease lease) {
		LeaseScope scope = new LeaseScope(lease, INNERMOST.get());
		INNERMOST.set(scope);
		return scope;
	}

	/**
	 * Returns the lease of the innermost scope of this thread.
	 * @return the lease, empty outside of a scope
	 */
	public static Optional<Lease> current() {
		return Optional.ofNullable(INNERMOST.get()).map((scope) -> scope.lease);
	}

	/**
	 * Returns the leases of all scopes of this thread.
	 * @return the leases, the innermost first
	 */
	public static List<Lease> all() {
		List<Lease> leases = new ArrayList<>();
		for (LeaseScope scope = INNERMOST.get(); scope != null; scope = scope.outer) {
			leases.add(scope.lease);
		}
		return leases;
	}

	/**
	 * Restores the lease that was current before this scope.
	 */
	@Override
	public void close() {
		if (this.outer != null) {
			INNERMOST.set(this.outer);
		}
		else {
			INNERMOST.remove();
		}
	}

}

package dev.redlock;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The lease under which the current thread works: its fence, what is left of it.
 * <p>
 * Set by whoever runs work under a lock. It only gives access; the lock itself never asks
 * a thread who it is.
 */
public final class CurrentLease {

	private static final ThreadLocal<@Nullable Scope> INNERMOST = new ThreadLocal<>();

	private CurrentLease() {
	}

	/**
	 * The lease under which the current thread works.
	 * @return the innermost lease, empty outside of a lock
	 */
	public static Optional<Lease> get() {
		return Optional.ofNullable(INNERMOST.get()).map(Scope::lease);
	}

	/**
	 * The lease under which the current thread works.
	 * @return the innermost lease
	 * @throws IllegalStateException outside of a lock
	 */
	public static Lease require() {
		return get().orElseThrow(() -> new IllegalStateException(
				"This code insists on a lock, and the current thread holds none. Call it through the Spring proxy of"
						+ " a bean with @RedLock, or inside RedLockTemplate.execute."));
	}

	/**
	 * The innermost lease of the current thread that is held for a resource.
	 * @param resource the name of what is locked
	 * @return the lease, empty if this thread works under none for it
	 */
	public static Optional<Lease> forResource(String resource) {
		for (Scope scope = INNERMOST.get(); scope != null; scope = scope.outer) {
			if (scope.lease.resources().contains(resource)) {
				return Optional.of(scope.lease);
			}
		}
		return Optional.empty();
	}

	/**
	 * Makes a lease the current one of this thread until the scope is closed.
	 * @param lease the lease
	 * @return the scope, to be closed on the same thread
	 */
	public static Scope open(Lease lease) {
		Scope scope = new Scope(lease, INNERMOST.get());
		INNERMOST.set(scope);
		return scope;
	}

	/**
	 * A span of work under one lease.
	 */
	public static final class Scope implements AutoCloseable {

		private final Lease lease;

		private final @Nullable Scope outer;

		private Scope(Lease lease, @Nullable Scope outer) {
			this.lease = lease;
			this.outer = outer;
		}

		private Lease lease() {
			return this.lease;
		}

		/**
		 * Makes the lease current again that was current before.
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

}

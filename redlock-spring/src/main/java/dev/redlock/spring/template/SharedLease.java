package dev.redlock.spring.template;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.Lease;
import dev.redlock.Redlock;
import dev.redlock.ReleaseResult;
import dev.redlock.spring.internal.lease.GrantedLease;

/**
 * A lease under which this process runs many callbacks, such as the lease of a leader.
 * This class is thread-safe.
 */
public final class SharedLease {

	private final CompletableFuture<Void> released = new CompletableFuture<>();

	private final AtomicBoolean ended = new AtomicBoolean();

	private final GrantedLease bound;

	/**
	 * Makes a lease available to many callbacks.
	 * @param lease the lease to share; from now on, only {@link #end()} may release it
	 */
	public SharedLease(Redlock redlock, Lease lease) {
		this.bound = new Shared(redlock, lease);
		this.bound.markUsed();
	}

	/**
	 * Returns the shared lease, for callbacks that need its fencing token or its
	 * remaining time.
	 */
	public Lease lease() {
		return this.bound;
	}

	/**
	 * Refuses new callbacks, and releases the lease when the last running callback has
	 * ended.
	 * @return completes when the release of the lease has been sent
	 */
	public CompletionStage<Void> end() {
		if (this.ended.compareAndSet(false, true)) {
			this.bound.endCallAsync();
		}
		return this.released.minimalCompletionStage();
	}

	public GrantedLease bound() {
		return this.bound;
	}

	private final class Shared extends GrantedLease {

		private Shared(Redlock redlock, Lease lease) {
			super(redlock, lease, 0, (shared) -> null);
		}

		@Override
		public boolean allowsParallelCalls() {
			return true;
		}

		@Override
		public void requireSamePermits(int requested) {
			throw new IllegalStateException("A call that locks " + resources()
					+ " cannot run inside of the work of a leader whose role has the same name, because a leader "
					+ "may run several calls in parallel. Give the lock another name than the role.");
		}

		@Override
		public void close() {
			super.close();
			SharedLease.this.released.complete(null);
		}

		@Override
		public CompletionStage<ReleaseResult> releaseAsync() {
			CompletionStage<ReleaseResult> result = super.releaseAsync();
			SharedLease.this.released.complete(null);
			return result;
		}

	}

}

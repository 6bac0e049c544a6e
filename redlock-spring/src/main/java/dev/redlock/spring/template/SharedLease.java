package dev.redlock.spring.template;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.Lease;
import dev.redlock.Redlock;
import dev.redlock.ReleaseResult;

/**
 * A lease that this process holds for longer than one piece of work, such as the lease of
 * a leader. The lease is kept until all work that runs under it is done. This class is
 * thread-safe.
 */
public final class SharedLease {

	private final CompletableFuture<Void> released = new CompletableFuture<>();

	private final AtomicBoolean ended = new AtomicBoolean();

	private final BoundLease bound;

	/**
	 * Shares a lease.
	 * @param redlock the lock that granted the lease
	 * @param lease the lease; from now on, only this object releases it
	 */
	public SharedLease(Redlock redlock, Lease lease) {
		this.bound = new Shared(redlock, lease);
		this.bound.markUsed();
	}

	/**
	 * Returns the lease for work that runs under it.
	 * @return the lease
	 */
	public Lease lease() {
		return this.bound;
	}

	/**
	 * Refuses further work, and releases the lease when the last running piece of work is
	 * done. Further calls do nothing.
	 * @return completes when the release has been sent
	 */
	public CompletionStage<Void> end() {
		if (this.ended.compareAndSet(false, true)) {
			this.bound.doneAsync();
		}
		return this.released.minimalCompletionStage();
	}

	BoundLease bound() {
		return this.bound;
	}

	private final class Shared extends BoundLease {

		private Shared(Redlock redlock, Lease lease) {
			super(redlock, lease, 0);
		}

		@Override
		boolean isShared() {
			return true;
		}

		@Override
		void requireAsExclusive(int others) {
			throw new IllegalStateException("A call that locks " + resources()
					+ " cannot run inside of the leader's work for the role of the same name, because calls of that "
					+ "work do not exclude each other. Give the lock another name than the role.");
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

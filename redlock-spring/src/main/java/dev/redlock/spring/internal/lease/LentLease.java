package dev.redlock.spring.internal.lease;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import dev.redlock.Lease;
import dev.redlock.Redlock;
import dev.redlock.ReleaseResult;
import org.jspecify.annotations.Nullable;

/**
 * A lease that its owner lends to one call, and to calls inside of that call. The end of
 * the call releases nothing, and is only told to the owner, who may lend the lease to
 * many calls at the same time.
 */
public final class LentLease extends GrantedLease {

	private final CompletableFuture<Void> ended;

	private LentLease(Redlock redlock, Lease lease, boolean beganInTransaction, CompletableFuture<Void> ended) {
		super(redlock, new LeaseView(lease.resources(), List.of(lease), null), 0, beganInTransaction, (lent) -> null);
		this.ended = ended;
	}

	public static LentLease from(Redlock redlock, Function<CompletionStage<Void>, Lease> owner,
			boolean beganInTransaction) {
		CompletableFuture<Void> ended = new CompletableFuture<>();
		return new LentLease(redlock, owner.apply(ended), beganInTransaction, ended);
	}

	/**
	 * Only the owner releases the lease.
	 */
	@Override
	public void close() {
	}

	@Override
	public CompletionStage<ReleaseResult> releaseAsync() {
		return delegate().releaseAsync();
	}

	@Override
	public void requireSamePermits(int requested) {
		throw new IllegalStateException("A call that locks " + resources()
				+ " cannot run inside of the work of a leader whose role has the same name, because a leader "
				+ "may run several calls in parallel. Give the lock another name than the role.");
	}

	@Override
	@Nullable GrantedLease afterLastUse() {
		this.ended.complete(null);
		return null;
	}

}

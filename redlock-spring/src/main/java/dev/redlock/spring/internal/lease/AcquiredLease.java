package dev.redlock.spring.internal.lease;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import dev.redlock.ReleaseResult;

/**
 * A lease that a caller acquired inside of a transaction and closes itself. The lock is
 * released when the caller has closed this lease and the transaction has completed.
 */
public final class AcquiredLease extends LeaseView {

	private final List<GrantedLease> kept;

	private final AtomicBoolean closed = new AtomicBoolean();

	/**
	 * @param kept the leases that the transaction keeps, each with one use that ends when
	 * this lease is closed
	 */
	public AcquiredLease(Set<String> names, List<BoundLease> leases, List<GrantedLease> kept) {
		super(names, leases, null);
		this.kept = kept;
	}

	@Override
	public void close() {
		endUses().forEach(GrantedLease::close);
	}

	@Override
	public CompletionStage<ReleaseResult> releaseAsync() {
		CompletionStage<ReleaseResult> result = CompletableFuture.completedStage(new ReleaseResult(0, 1, isValid()));
		for (GrantedLease over : endUses().toList()) {
			result = result.thenCombine(over.releaseAsync(), (former, latest) -> latest);
		}
		return result;
	}

	/**
	 * Returns the leases that neither the transaction nor another call needs any more.
	 */
	private Stream<GrantedLease> endUses() {
		return this.closed.compareAndSet(false, true)
				? this.kept.stream().flatMap((lease) -> Stream.ofNullable(lease.endUse())) : Stream.empty();
	}

}

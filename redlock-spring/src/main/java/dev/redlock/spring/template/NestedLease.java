package dev.redlock.spring.template;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.redlock.Lease;
import dev.redlock.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * The lease of a nested call, which uses the lock of an outer call on the same name.
 */
final class NestedLease extends BoundLease {

	private final BoundLease outer;

	/**
	 * This future completes when every earlier nested call on a name of this lease has
	 * ended.
	 */
	private volatile CompletableFuture<Void> admitted = CompletableFuture.completedFuture(null);

	NestedLease(BoundLease outer, Set<String> names) {
		this(outer, names, null);
	}

	NestedLease(BoundLease outer, Set<String> names, @Nullable Lease own) {
		super(names, outer, own);
		this.outer = outer;
	}

	@Override
	GrantedLease granted() {
		return this.outer.granted();
	}

	@Override
	BoundLease outermost() {
		return this.outer.allowsParallelCalls() ? this : this.outer.outermost();
	}

	CompletableFuture<Void> admitted() {
		return this.admitted;
	}

	void admit() {
		this.admitted.complete(null);
	}

	/**
	 * Returns false if the outer lease is being released already, so that a nested call
	 * cannot re-enter it.
	 */
	boolean reEnter() {
		boolean counted = this.outer.addCall();
		if (counted) {
			this.admitted = new CompletableFuture<>();
			this.outer.addNested(this);
		}
		return counted;
	}

	@Override
	@Nullable GrantedLease afterLastCall() {
		return this.outer.removeNested(this) ? this.outer.endCall() : null;
	}

	@Override
	boolean isClosed() {
		return super.isClosed() || this.outer.isClosed();
	}

	@Override
	Optional<LossReason> lossReason() {
		return this.outer.lossReason();
	}

	@Override
	public String toString() {
		return this.outer.toString();
	}

}

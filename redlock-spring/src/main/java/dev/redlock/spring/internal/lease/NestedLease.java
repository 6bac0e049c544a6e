package dev.redlock.spring.internal.lease;

import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.redlock.Lease;
import org.jspecify.annotations.Nullable;

/**
 * The lease of a call that uses the lease of an outer call on the same name, or a lease
 * that it has acquired and its transaction keeps.
 */
public final class NestedLease extends BoundLease {

	private final BoundLease outer;

	/**
	 * The granted lease is not searched through all outer calls, because a call that ends
	 * on a nearly full stack could then not release its lease.
	 */
	private final GrantedLease granted;

	/**
	 * This future completes when every earlier nested call on a name of this lease has
	 * ended.
	 */
	private volatile CompletableFuture<Void> admitted = CompletableFuture.completedFuture(null);

	public NestedLease(BoundLease outer, Set<String> names) {
		this(outer, names, null);
	}

	public NestedLease(BoundLease outer, Set<String> names, @Nullable Lease own) {
		super(names, outer.granted(), own);
		this.outer = outer;
		this.granted = outer.granted();
	}

	@Override
	public GrantedLease granted() {
		return this.granted;
	}

	public CompletableFuture<Void> admitted() {
		return this.admitted;
	}

	void admit() {
		this.admitted.complete(null);
	}

	/**
	 * Returns false if the outer lease is being released already, so that a nested call
	 * cannot re-enter it.
	 */
	public boolean reEnter() {
		boolean counted = this.outer.addUse();
		if (counted) {
			this.admitted = new CompletableFuture<>();
			this.outer.addNested(this);
		}
		return counted;
	}

	@Override
	@Nullable GrantedLease afterLastUse() {
		return this.outer.removeNested(this) ? this.outer.endUse() : null;
	}

	@Override
	public boolean isClosed() {
		return super.isClosed() || this.outer.isClosed();
	}

	@Override
	public String toString() {
		return this.outer.toString();
	}

}

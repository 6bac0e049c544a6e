package dev.redlock.spring.template;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockLostException;

/**
 * The part of an outer lease that a piece of work re-enters. Inner work of this piece
 * re-enters this part. Siblings of the piece wait until the last work under this part is
 * done.
 */
final class NestedLease extends BoundLease {

	private final BoundLease parent;

	private final CompletableFuture<Void> entered = new CompletableFuture<>();

	private NestedLease(BoundLease parent, Set<String> names) {
		super(parent, names);
		this.parent = parent;
	}

	/**
	 * Re-enters a lease.
	 * @param parent the lease, which the caller has retained
	 * @param names the names of the lease that the work asked for
	 */
	static NestedLease of(BoundLease parent, Set<String> names) {
		NestedLease part = new NestedLease(parent, names);
		parent.enter(part);
		return part;
	}

	/** Completes when the siblings before this piece are done. */
	CompletableFuture<Void> entered() {
		return this.entered;
	}

	@Override
	BoundLease root() {
		return this.parent.root();
	}

	@Override
	void requireAsExclusive(int others) {
		this.parent.requireAsExclusive(others);
	}

	@Override
	boolean isClosed() {
		return super.isClosed() || this.parent.isClosed();
	}

	@Override
	Optional<LockLostException> loss() {
		return this.parent.loss();
	}

	@Override
	void release() {
		this.parent.leave(this);
		this.parent.done();
	}

	@Override
	CompletableFuture<?> releaseLater(boolean used) {
		this.parent.leave(this);
		return this.parent.doneAsync(used);
	}

}

package dev.redlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import org.jspecify.annotations.Nullable;

/**
 * The release of one lease, and what becomes of its place in the queues.
 */
final class LeaseRelease implements Round.Listener {

	private final HeldLease lease;

	private final Duration keep;

	private final boolean wasValid;

	private final @Nullable CompletableFuture<Void> confirmed;

	private @Nullable QueuePlace place;

	/**
	 * A release that has not been sent, from any thread.
	 * @param wasHeld whether the lease was not lost before
	 * @param wasValid whether the lease was valid when it was released
	 * @param confirmed completes when a majority has confirmed; null if nothing waits for
	 * that
	 */
	LeaseRelease(HeldLease lease, boolean wasHeld, boolean wasValid, @Nullable CompletableFuture<Void> confirmed) {
		this.lease = lease;
		this.wasValid = wasValid;
		this.confirmed = confirmed;
		Duration left = lease.plan().atLeast().minus(lease.heldFor());
		// How much longer the nodes are to keep the lock all the same.
		this.keep = (wasHeld && !left.isNegative()) ? left : Duration.ZERO;
	}

	/**
	 * Sends the release, behind whatever is still under way on each connection, and lets
	 * the next request of this process ask behind it.
	 * @param from the place of the lease in the queues, if it has one
	 */
	void send(LockContext context, @Nullable QueuePlace from) {
		this.place = from;
		// What is kept for a while cannot be had yet, and others should know.
		QueuePlace next = (from != null && this.keep.isZero()) ? from.handOver() : null;
		LockPlan plan = this.lease.plan();
		LeaseExtension extension = this.lease.extension();
		Claim claim = this.lease.grant().claim().withTtl(extension.longestTtl());
		context.releases()
			.send(new Releases.Release(claim, plan.nodes(), this::mayBeHeldBy, extension.lastSent(), plan.nodeTimeout(),
					this.keep, next == null), this);
		if (next != null) {
			// Behind the release on each connection, and in the same write.
			next.askNow();
		}
		else if (from != null) {
			from.released();
		}
	}

	/**
	 * The loop has ended, and so have the connections: the nodes forget the lease after
	 * its ttl.
	 */
	void notSent() {
		this.lease.released(new ReleaseResult(0, this.lease.plan().nodes().size(), this.wasValid));
		if (this.confirmed != null) {
			this.confirmed.complete(null);
		}
	}

	@Override
	public void decided(Tally tally) {
		if (this.place != null) {
			this.place.releaseAnswered(tally);
		}
		if (this.confirmed != null) {
			this.confirmed.complete(null);
		}
	}

	@Override
	public void settled(Tally tally) {
		this.lease.released(ReleaseResult.of(tally, this.wasValid));
	}

	private boolean mayBeHeldBy(LockNode node) {
		return this.lease.extension().hasRestored() || this.lease.grant().mayHold().contains(node);
	}

}

package dev.redlock;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;

/**
 * The extensions of one lease, one round at a time. An extension counts only if a
 * majority agreed within the old validity. After that, another process may have held the
 * lock in between.
 */
final class LeaseExtension {

	private final HeldLease lease;

	private final LockContext context;

	/** The extensions that wait for the current one. */
	private final Queue<Runnable> waiting = new ArrayDeque<>(0);

	private boolean underWay;

	private Moment lastSent;

	private Duration longestTtl;

	private boolean restored;

	LeaseExtension(HeldLease lease, LockContext context) {
		this.lease = lease;
		this.context = context;
		this.lastSent = lease.grant().start();
		this.longestTtl = lease.grant().claim().ttl();
	}

	/**
	 * Asks the nodes to keep the lease for the ttl from now.
	 * @param listener receives the outcome
	 */
	void extend(Duration ttl, Consumer<RenewalOutcome> listener) {
		if (this.underWay) {
			this.waiting.add(() -> extend(ttl, listener));
		}
		else if (!this.lease.isValid()) {
			this.lease.checkExpiry();
			listener.accept(RenewalOutcome.LOST);
		}
		else {
			this.underWay = true;
			ask(ttl, listener);
		}
	}

	/**
	 * Returns the start of the last round that set the ttl. Nodes may count the ttl from
	 * then.
	 */
	Moment lastSent() {
		return this.lastSent;
	}

	/**
	 * Returns the longest ttl that was sent to a node.
	 */
	Duration longestTtl() {
		return this.longestTtl;
	}

	/**
	 * Whether the lease was written again to a node that had lost it.
	 */
	boolean hasRestored() {
		return this.restored;
	}

	private void ask(Duration ttl, Consumer<RenewalOutcome> listener) {
		LockPlan plan = this.lease.plan();
		Moment start = Moment.now(this.context.ticker());
		Claim extended = this.lease.grant().claim().withTtl(plan.toldNodes(ttl));
		this.lastSent = start;
		if (extended.ttl().compareTo(this.longestTtl) > 0) {
			this.longestTtl = extended.ttl();
		}
		new Round(plan.nodes(), plan.quorum().majority(), this.context.loop(), new Round.Listener() {

			private RenewalOutcome outcome = RenewalOutcome.UNKNOWN;

			@Override
			public void decided(Tally tally) {
				LeaseExtension.this.context.fences().learn(tally);
				this.outcome = judge(tally, plan.validity(start, ttl));
				listener.accept(this.outcome);
				next();
			}

			@Override
			public void settled(Tally tally) {
				if (this.outcome == RenewalOutcome.EXTENDED) {
					restore(extended, tally);
				}
			}

		}).ask(plan.nodeTimeout(), (node) -> node.extend(extended, this.lease.grant().fence()));
	}

	private RenewalOutcome judge(Tally tally, Validity validity) {
		if (tally.won() && this.lease.isValid()) {
			this.lease.prolong(validity);
			return RenewalOutcome.EXTENDED;
		}
		if (tally.blockedBy(Refused.class::isInstance)) {
			this.lease.lose(LossReason.REFUSED);
			return RenewalOutcome.LOST;
		}
		this.lease.checkExpiry();
		return this.lease.isValid() ? RenewalOutcome.UNKNOWN : RenewalOutcome.LOST;
	}

	private void next() {
		this.underWay = false;
		while (!this.underWay && !this.waiting.isEmpty()) {
			this.waiting.remove().run();
		}
	}

	/**
	 * Writes the lease again to nodes that lost it. This is safe because a majority has
	 * held the lease without a gap, and the nodes that lost it did not count in this
	 * round.
	 */
	private void restore(Claim extended, Tally tally) {
		for (LockNode node : tally.nodesWith(Tally.refusedAs(Refusal.MISSING))) {
			if (this.lease.isValid()) {
				this.restored = true;
				node.restore(extended, this.lease.grant().fence());
			}
		}
	}

}

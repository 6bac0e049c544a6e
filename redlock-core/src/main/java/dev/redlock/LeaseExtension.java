package dev.redlock;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;
import org.jspecify.annotations.Nullable;

/**
 * The extensions of one lease, one round at a time. An extension counts only if a
 * majority agreed within the old validity. After that, another process may have held the
 * lock in between.
 */
final class LeaseExtension {

	private final HeldLease lease;

	private final LockContext context;

	/** The extensions that wait for the current one; null until the first has to wait. */
	private @Nullable Queue<Runnable> waiting;

	private boolean underWay;

	private Moment lastSent;

	private Duration longestTtl;

	private boolean restored;

	private int writesUnderWay;

	private boolean undoesWrites;

	private final List<Runnable> whenNothingIsWritten = new ArrayList<>(0);

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
	void extend(Duration ttl, Listener listener) {
		if (this.underWay) {
			this.waiting = (this.waiting != null) ? this.waiting : new ArrayDeque<>();
			this.waiting.add(() -> extend(ttl, listener));
		}
		else if (!this.lease.isValid()) {
			listener.extended(RenewalOutcome.LOST);
		}
		else {
			this.underWay = true;
			new ExtendRound(ttl, listener).start();
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

	/**
	 * Runs an action as soon as no write of the lease to a node is under way.
	 */
	void whenNothingIsWritten(Runnable action) {
		if (this.writesUnderWay == 0) {
			action.run();
		}
		else {
			this.whenNothingIsWritten.add(action);
		}
	}

	/**
	 * Undoes all writes of the lease to a node, also those already under way: each is
	 * followed by a release there.
	 */
	void undoWrites() {
		this.undoesWrites = true;
	}

	private void next() {
		this.underWay = false;
		while (!this.underWay && this.waiting != null && !this.waiting.isEmpty()) {
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
				this.writesUnderWay++;
				node.restore(extended, this.lease.counter())
					.whenComplete((answer, failure) -> this.context.loop().run(() -> written(extended, node)));
			}
		}
	}

	private void written(Claim extended, LockNode node) {
		if (this.undoesWrites) {
			this.context.releases()
				.send(new Releases.Release(extended, List.of(node), (any) -> true, this.lastSent,
						this.lease.plan().nodeTimeout(), Duration.ZERO, false));
		}
		this.writesUnderWay--;
		if (this.writesUnderWay == 0) {
			this.whenNothingIsWritten.forEach(Runnable::run);
			this.whenNothingIsWritten.clear();
		}
	}

	/**
	 * Listener for the outcome of an extension.
	 */
	@FunctionalInterface
	interface Listener {

		void extended(RenewalOutcome outcome);

	}

	/**
	 * A round that extends the lease.
	 */
	private final class ExtendRound implements Round.Listener {

		private final Claim extended;

		private final Listener listener;

		private final Validity validity;

		private RenewalOutcome outcome = RenewalOutcome.UNKNOWN;

		private ExtendRound(Duration ttl, Listener listener) {
			LockPlan plan = LeaseExtension.this.lease.plan();
			Moment start = Moment.now(LeaseExtension.this.context.ticker());
			LeaseExtension.this.lastSent = start;
			this.listener = listener;
			this.validity = plan.validity(start, ttl);
			this.extended = LeaseExtension.this.lease.grant().claim().withTtl(plan.toldNodes(ttl));
			if (this.extended.ttl().compareTo(LeaseExtension.this.longestTtl) > 0) {
				LeaseExtension.this.longestTtl = this.extended.ttl();
			}
		}

		private void start() {
			LockPlan plan = LeaseExtension.this.lease.plan();
			long fence = LeaseExtension.this.lease.counter();
			new Round(plan.nodes(), plan.quorum().majority(), LeaseExtension.this.context.loop(), this)
				.ask(plan.nodeTimeout(), (node) -> node.extend(this.extended, fence));
		}

		@Override
		public void decided(Tally tally) {
			LeaseExtension.this.context.fences().learn(tally);
			this.outcome = judge(tally);
			this.listener.extended(this.outcome);
			next();
		}

		@Override
		public void settled(Tally tally) {
			if (this.outcome == RenewalOutcome.EXTENDED) {
				restore(this.extended, tally);
			}
		}

		private RenewalOutcome judge(Tally tally) {
			HeldLease held = LeaseExtension.this.lease;
			if (tally.won() && held.isValid()) {
				held.prolong(this.validity);
				return RenewalOutcome.EXTENDED;
			}
			if (tally.blockedBy(Refused.class::isInstance)) {
				held.lose(LossReason.REFUSED);
				return RenewalOutcome.LOST;
			}
			return held.isValid() ? RenewalOutcome.UNKNOWN : RenewalOutcome.LOST;
		}

	}

}

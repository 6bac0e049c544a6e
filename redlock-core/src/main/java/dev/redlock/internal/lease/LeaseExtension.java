package dev.redlock.internal.lease;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;

import dev.redlock.LossReason;
import dev.redlock.RequestListener.RenewalOutcome;
import dev.redlock.internal.plan.LockPlan;
import dev.redlock.internal.plan.Moment;
import dev.redlock.internal.plan.Validity;
import dev.redlock.internal.vote.LockContext;
import dev.redlock.internal.vote.Round;
import dev.redlock.internal.vote.Tally;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;

/**
 * Extends one lease, one extension at a time. An extension succeeds only if a majority
 * agrees before the validity ends, because another process may hold the lock afterwards.
 */
final class LeaseExtension {

	private final HeldLease lease;

	private final LockContext context;

	private final Queue<ExtensionRequest> waiting = new ArrayDeque<>(0);

	private boolean underWay;

	private volatile Sent sent;

	LeaseExtension(HeldLease lease, LockContext context) {
		this.lease = lease;
		this.context = context;
		this.sent = new Sent(lease.grant().start(), lease.grant().claim().ttl(), false);
	}

	void extend(ExtensionRequest request) {
		if (this.underWay) {
			this.waiting.add(request);
		}
		else if (!prepare(request)) {
			this.lease.checkExpiry();
			request.fail(RenewalOutcome.LOST);
		}
		else if (!request.over().get()) {
			this.underWay = true;
			ask(request);
		}
	}

	/**
	 * Notes the ttl that will be sent, and returns false if the lease is no longer valid.
	 * The longest ttl is written before the status of the lease is read, because a lease
	 * that another thread detaches must know each ttl that was sent.
	 */
	private boolean prepare(ExtensionRequest request) {
		Duration ttl = this.lease.plan().nodeTtl(request.ttl());
		if (ttl.compareTo(this.sent.longestTtl) > 0) {
			this.sent = new Sent(this.sent.last, ttl, this.sent.restored);
		}
		return this.lease.isValid();
	}

	/** Thread-safe. */
	Sent sent() {
		return this.sent;
	}

	private void ask(ExtensionRequest request) {
		LockPlan plan = this.lease.plan();
		Moment start = Moment.now(this.context.ticker());
		Claim extended = this.lease.grant().claim().withTtl(plan.nodeTtl(request.ttl()));
		this.sent = new Sent(start, this.sent.longestTtl, this.sent.restored);
		new Round(plan.nodes(), plan.majority(), this.context.loop(), new Round.Listener() {

			@Override
			public void decided(Tally tally) {
				LeaseExtension.this.context.fences().learn(tally);
				conclude(request, tally, plan.validity(start, request.ttl()));
				next();
			}

			@Override
			public void allAnswered(Tally tally) {
				if (request.outcome().getNow(RenewalOutcome.UNKNOWN) == RenewalOutcome.EXTENDED) {
					restore(extended, tally);
				}
			}

		}).ask(plan.nodeTimeout(), (node) -> node.extend(extended, this.lease.grant().fence()));
	}

	private void conclude(ExtensionRequest request, Tally tally, Validity validity) {
		if (tally.won() && this.lease.isValid()) {
			if (request.end()) {
				this.lease.prolong(validity);
				request.outcome().complete(RenewalOutcome.EXTENDED);
			}
			return;
		}
		if (tally.isBlockedBy(Refused.class::isInstance)) {
			this.lease.lose(LossReason.REFUSED);
		}
		this.lease.checkExpiry();
		request.fail(this.lease.isValid() ? RenewalOutcome.UNKNOWN : RenewalOutcome.LOST);
	}

	private void next() {
		this.underWay = false;
		while (!this.underWay && !this.waiting.isEmpty()) {
			extend(this.waiting.remove());
		}
	}

	/**
	 * Writes the lease again to nodes that lost it. Writing the lease again is safe,
	 * because a majority of other nodes never lost it.
	 */
	private void restore(Claim extended, Tally tally) {
		for (LockNode node : tally.nodesWith(Tally.refusedAs(Refusal.MISSING))) {
			if (this.lease.isValid()) {
				this.sent = new Sent(this.sent.last, this.sent.longestTtl, true);
				node.restore(extended, this.lease.grant().fence());
			}
		}
	}

	/**
	 * What the nodes were sent for the lease.
	 *
	 * @param last the time just before the last ttl was sent, because the nodes count the
	 * ttl from a later time
	 * @param restored whether the lease was written again to a node that had lost it
	 */
	record Sent(Moment last, Duration longestTtl, boolean restored) {

	}

}

package dev.redlock.internal.lease;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

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
import dev.redlock.spi.Scheduler.Timeout;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;
import org.jspecify.annotations.Nullable;

/**
 * Extends one lease, for its holder and for its renewal, one extension at a time. An
 * extension succeeds only if a majority agrees before the validity ends, because another
 * process may hold the lock afterwards.
 */
final class LeaseExtension {

	private static final int ROUNDS_PER_TTL = 3;

	private static final int RETRIES_PER_ROUND = 5;

	/**
	 * Renewal times are rounded by at most 10 ms, so that extensions of many leases share
	 * one network write.
	 */
	private static final long LONGEST_ROUNDING_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private static final int ROUNDINGS_PER_DELAY = 32;

	private final HeldLease lease;

	private final LockContext context;

	private final Queue<ExtensionRequest> waiting = new ArrayDeque<>(0);

	private boolean underWay;

	private volatile Sent sent;

	private Timeout renewal = Timeout.NONE;

	private volatile LossReason reasonOfExpiry = LossReason.EXPIRED;

	LeaseExtension(HeldLease lease, LockContext context) {
		this.lease = lease;
		this.context = context;
		this.sent = new Sent(lease.grant().start(), lease.grant().claim().ttl(), false);
	}

	void startRenewal() {
		renewWithin(this.lease.plan().ttl().dividedBy(ROUNDS_PER_TTL));
	}

	void stopRenewal() {
		this.renewal.cancel();
	}

	/**
	 * Extends the lease for a caller, unless the lease would then be held for longer than
	 * its request allows.
	 */
	void extendForCaller(ExtensionRequest request) {
		if (this.lease.plan().allowsExtension(this.lease.heldFor(), request.ttl())) {
			extend(request);
		}
		else {
			if (!this.lease.plan().renew()) {
				this.reasonOfExpiry = LossReason.RENEWAL_LIMIT;
			}
			answer(request, RenewalOutcome.UNKNOWN);
		}
	}

	private void extend(ExtensionRequest request) {
		if (this.underWay) {
			this.waiting.add(request);
		}
		else if (!prepare(request)) {
			this.lease.checkExpiry();
			answer(request, RenewalOutcome.LOST);
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

	Sent sent() {
		return this.sent;
	}

	/**
	 * Returns why the renewal of the lease was stopped, or why its holder could not
	 * extend it without renewal; {@code EXPIRED} if neither happened.
	 */
	LossReason reasonOfExpiry() {
		return this.reasonOfExpiry;
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
		answer(request, this.lease.isValid() ? RenewalOutcome.UNKNOWN : RenewalOutcome.LOST);
	}

	private static void answer(ExtensionRequest request, RenewalOutcome failure) {
		if (request.end()) {
			request.outcome().complete(failure);
		}
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

	private void renew() {
		LossReason limit = limitReached();
		if (limit != null) {
			this.reasonOfExpiry = limit;
			return;
		}
		ExtensionRequest request = new ExtensionRequest(this.lease.plan().ttl());
		request.outcome().thenAccept((outcome) -> this.context.loop().run(() -> extended(outcome)));
		extend(request);
	}

	private void extended(RenewalOutcome outcome) {
		if (this.lease.isReleasedInTime()) {
			return;
		}
		this.lease.plan().notifier().renewed(this.lease, outcome);
		if (outcome == RenewalOutcome.EXTENDED) {
			startRenewal();
		}
		else if (outcome != RenewalOutcome.LOST) {
			renewWithin(this.lease.plan().ttl().dividedBy(ROUNDS_PER_TTL * RETRIES_PER_ROUND));
		}
	}

	private @Nullable LossReason limitReached() {
		if (this.lease.isOwnerGone()) {
			return LossReason.OWNER_GONE;
		}
		boolean tooLong = this.lease.heldFor().compareTo(this.lease.plan().maxHold()) >= 0;
		return tooLong ? LossReason.RENEWAL_LIMIT : null;
	}

	/**
	 * Schedules an extension after a random delay, so that leases granted together are
	 * not renewed together.
	 */
	private void renewWithin(Duration longest) {
		if (this.lease.isOpen()) {
			long nanos = longest.toNanos();
			long rounding = Math.max(1, Math.min(nanos / ROUNDINGS_PER_DELAY, LONGEST_ROUNDING_NANOS));
			// The random part and the rounding together shorten the delay by less than a
			// fifth.
			long delay = nanos - this.context.random().nextLong(nanos / 6 + 1);
			long early = Math.floorMod(this.context.ticker().nanoTime() + delay, rounding);
			this.renewal = this.context.loop().schedule(Duration.ofNanos(delay - early), this::renew);
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

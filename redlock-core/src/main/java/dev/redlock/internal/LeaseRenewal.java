package dev.redlock.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.redlock.LossReason;
import dev.redlock.RequestListener.RenewalOutcome;
import dev.redlock.spi.Scheduler.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The renewal of one lease. It extends the lease after about each third of its ttl, until
 * the lease ends or a limit is reached.
 */
final class LeaseRenewal {

	private static final int ROUNDS_PER_TTL = 3;

	private static final int RETRIES_PER_ROUND = 5;

	/**
	 * The granularity of renewal, so that extensions of many leases are sent in one
	 * write.
	 */
	private static final long LONGEST_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private static final int STEPS_PER_DELAY = 32;

	private final HeldLease lease;

	private final LockContext context;

	private volatile LossReason reasonOfExpiry = LossReason.EXPIRED;

	private Timeout timer = Timeout.NONE;

	private int extensions;

	/** Creates a renewal that has not begun. */
	LeaseRenewal(HeldLease lease, LockContext context) {
		this.lease = lease;
		this.context = context;
	}

	void start() {
		scheduleWithin(this.lease.plan().ttl().dividedBy(ROUNDS_PER_TTL));
	}

	void stop() {
		this.timer.cancel();
	}

	/**
	 * Returns the reason to report if the validity ends. If a limit has stopped the
	 * renewal, the reason is this limit.
	 */
	LossReason reasonOfExpiry() {
		return this.reasonOfExpiry;
	}

	/**
	 * Extends the lease once, unless a limit is reached.
	 */
	private void renew() {
		LossReason limit = limitReached();
		if (limit != null) {
			this.reasonOfExpiry = limit;
			return;
		}
		ExtensionRequest request = new ExtensionRequest(this.lease.plan().ttl());
		request.outcome().thenAccept((outcome) -> this.context.loop().run(() -> extended(outcome)));
		this.lease.extension().extend(request);
	}

	private void extended(RenewalOutcome outcome) {
		this.lease.plan().notifier().renewed(this.lease, outcome);
		if (outcome == RenewalOutcome.EXTENDED) {
			this.extensions++;
			start();
		}
		else if (outcome != RenewalOutcome.LOST) {
			scheduleWithin(this.lease.plan().ttl().dividedBy(ROUNDS_PER_TTL * RETRIES_PER_ROUND));
		}
	}

	private @Nullable LossReason limitReached() {
		if (this.lease.isOwnerGone()) {
			return LossReason.OWNER_GONE;
		}
		boolean tooLong = this.lease.heldFor().compareTo(this.lease.plan().maxHold()) >= 0;
		boolean tooOften = this.extensions >= this.lease.plan().maxRenewals();
		return (tooLong || tooOften) ? LossReason.RENEWAL_LIMIT : null;
	}

	/**
	 * Schedules the next extension for a random step of the clock in the last fifth of
	 * the given delay, so that leases granted together are not renewed together.
	 */
	private void scheduleWithin(Duration longest) {
		if (this.lease.isOpen()) {
			long nanos = longest.toNanos();
			long step = Math.max(1, Math.min(nanos / STEPS_PER_DELAY, LONGEST_STEP_NANOS));
			// A sixth of the delay plus one step is less than a fifth.
			long delay = nanos - this.context.random().nextLong(nanos / 6 + 1);
			long early = Math.floorMod(this.context.ticker().nanoTime() + delay, step);
			this.timer = this.context.loop().schedule(Duration.ofNanos(delay - early), this::renew);
		}
	}

}

package dev.redlock.internal.lease;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.redlock.LossReason;
import dev.redlock.RequestListener.RenewalOutcome;
import dev.redlock.internal.vote.LockContext;
import dev.redlock.spi.Scheduler.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a lease is extended: at intervals if its request asks for renewal, and
 * when its holder asks, within the limits of its request.
 */
final class Renewal {

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

	private final LeaseExtension extension;

	private Timeout timer = Timeout.NONE;

	private volatile LossReason reasonOfExpiry = LossReason.EXPIRED;

	Renewal(HeldLease lease, LockContext context, LeaseExtension extension) {
		this.lease = lease;
		this.context = context;
		this.extension = extension;
	}

	void start() {
		renewWithin(this.lease.plan().ttl().dividedBy(ROUNDS_PER_TTL));
	}

	void stop() {
		this.timer.cancel();
	}

	/**
	 * Extends the lease for a caller, unless the lease would then be held for longer than
	 * its request allows.
	 */
	void extendForCaller(ExtensionRequest request) {
		if (this.lease.plan().allowsExtension(this.lease.heldFor(), request.ttl())) {
			this.extension.extend(request);
		}
		else {
			if (!this.lease.plan().renew()) {
				this.reasonOfExpiry = LossReason.RENEWAL_LIMIT;
			}
			request.fail(RenewalOutcome.UNKNOWN);
		}
	}

	/**
	 * Returns why the renewal of the lease was stopped, or why its holder could not
	 * extend it without renewal; {@code EXPIRED} if neither happened. Thread-safe.
	 */
	LossReason reasonOfExpiry() {
		return this.reasonOfExpiry;
	}

	private void renew() {
		LossReason limit = limitReached();
		if (limit != null) {
			this.reasonOfExpiry = limit;
			return;
		}
		ExtensionRequest request = new ExtensionRequest(this.lease.plan().ttl());
		request.outcome().thenAccept((outcome) -> this.context.loop().run(() -> extended(outcome)));
		this.extension.extend(request);
	}

	private void extended(RenewalOutcome outcome) {
		if (this.lease.status().isReleasedInTime()) {
			return;
		}
		this.lease.plan().notifier().renewed(this.lease, outcome);
		if (outcome == RenewalOutcome.EXTENDED) {
			start();
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
			this.timer = this.context.loop().schedule(Duration.ofNanos(delay - early), this::renew);
		}
	}

}

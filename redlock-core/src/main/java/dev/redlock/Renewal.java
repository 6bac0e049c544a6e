package dev.redlock;

import java.lang.ref.WeakReference;
import java.time.Duration;

import dev.redlock.spi.Scheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extends one lease again and again, at about a third of its ttl, until it is released or
 * a limit is reached. It never outlives its lease.
 */
final class Renewal implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Renewal.class);

	private static final int ROUNDS_PER_TTL = 3;

	private static final int RETRIES_PER_ROUND = 5;

	private final HeldLease lease;

	private volatile @Nullable WeakReference<Thread> owner;

	private volatile LossReason reasonOfExpiry = LossReason.EXPIRED;

	private volatile Scheduler.@Nullable Timeout next;

	private int extensions;

	Renewal(HeldLease lease) {
		this.lease = lease;
	}

	void start() {
		Duration third = this.lease.plan().ttl().dividedBy(ROUNDS_PER_TTL);
		scheduleWithin(third);
	}

	void stop() {
		Scheduler.Timeout timer = this.next;
		if (timer != null) {
			timer.cancel();
		}
	}

	/**
	 * Ends with this thread if that has not released the lease by then.
	 */
	void ownedBy(Thread thread) {
		this.owner = new WeakReference<>(thread);
	}

	boolean isOwnedBy(Thread thread) {
		WeakReference<Thread> reference = this.owner;
		return reference != null && reference.refersTo(thread);
	}

	/**
	 * Why a lease whose validity ran out was not renewed.
	 */
	LossReason reasonOfExpiry() {
		return this.reasonOfExpiry;
	}

	/**
	 * Extends the lease once, unless a limit is reached.
	 */
	@Override
	public void run() {
		LossReason limit = limitReached();
		if (limit != null) {
			this.reasonOfExpiry = limit;
			return;
		}
		this.extensions++;
		this.lease.renew().whenComplete(this::onOutcome);
	}

	private void onOutcome(@Nullable RenewalOutcome outcome, @Nullable Throwable failure) {
		if (failure != null) {
			logger.warn("Renewal of the lock on {} failed and is tried again", this.lease.resources(), failure);
		}
		Following following = this.lease.plan().following();
		if (outcome != null && following != null) {
			following.renewed(this.lease, outcome);
		}
		if (outcome == RenewalOutcome.EXTENDED) {
			start();
		}
		else if (outcome != RenewalOutcome.LOST) {
			scheduleWithin(this.lease.plan().ttl().dividedBy(ROUNDS_PER_TTL * RETRIES_PER_ROUND));
		}
	}

	private @Nullable LossReason limitReached() {
		WeakReference<Thread> reference = this.owner;
		if (reference != null) {
			Thread thread = reference.get();
			if (thread == null || !thread.isAlive()) {
				return LossReason.OWNER_GONE;
			}
		}
		boolean tooLong = this.lease.heldNanos() >= this.lease.plan().maxHold().toNanos();
		boolean tooOften = this.extensions >= this.lease.plan().maxRenewals();
		return (tooLong || tooOften) ? LossReason.RENEWAL_LIMIT : null;
	}

	/**
	 * At a random moment in the last fifth before the given delay, so that leases taken
	 * together are not renewed together.
	 */
	private void scheduleWithin(Duration longest) {
		if (!this.lease.state().isOpen()) {
			return;
		}
		long nanos = longest.toNanos();
		long delay = nanos - this.lease.engine().random().nextLong(nanos / 5 + 1);
		this.next = this.lease.engine().scheduler().schedule(Duration.ofNanos(delay), this);
		if (!this.lease.state().isOpen()) {
			stop();
		}
	}

}

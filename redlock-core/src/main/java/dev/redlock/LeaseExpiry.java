package dev.redlock;

import java.time.Duration;

import dev.redlock.spi.Scheduler.Timeout;

/**
 * The timer for the end of one lease's validity. If the lease was extended meanwhile, the
 * timer is set again when it fires, so that an extension needs no timer of its own.
 */
final class LeaseExpiry {

	private final HeldLease lease;

	private final LockContext context;

	private final LeaseRenewal renewal;

	private Timeout timer = Timeout.NONE;

	LeaseExpiry(HeldLease lease, LockContext context, LeaseRenewal renewal) {
		this.lease = lease;
		this.context = context;
		this.renewal = renewal;
	}

	/**
	 * Ends the lease if no validity is left, otherwise sets the timer to its end.
	 */
	void watch() {
		long left = this.lease.remainingNanos();
		if (!this.lease.isOpen()) {
			return;
		}
		if (left <= 0) {
			this.lease.lose(this.renewal.reasonOfExpiry());
		}
		else {
			this.timer = this.context.loop().schedule(Duration.ofNanos(left), this::watch);
		}
	}

	void stop() {
		this.timer.cancel();
	}

}

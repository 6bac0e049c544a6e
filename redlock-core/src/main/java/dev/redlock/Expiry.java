package dev.redlock;

import java.time.Duration;

import dev.redlock.spi.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * The timer for the end of one lease's validity. It looks again when the lease was
 * extended meanwhile, so an extension costs no timer of its own.
 */
final class Expiry implements Runnable {

	private final HeldLease lease;

	private final Renewal renewal;

	private volatile Scheduler.@Nullable Timeout timer;

	Expiry(HeldLease lease, Renewal renewal) {
		this.lease = lease;
		this.renewal = renewal;
	}

	/**
	 * Looks whether there is validity left, and looks again when that is over.
	 */
	@Override
	public void run() {
		long left = this.lease.remainingNanos();
		if (!this.lease.state().isOpen()) {
			return;
		}
		if (left <= 0) {
			this.lease.lose(this.renewal.reasonOfExpiry());
			return;
		}
		this.timer = this.lease.engine().scheduler().schedule(Duration.ofNanos(left), this);
		if (!this.lease.state().isOpen()) {
			stop();
		}
	}

	void stop() {
		Scheduler.Timeout pending = this.timer;
		if (pending != null) {
			pending.cancel();
		}
	}

}

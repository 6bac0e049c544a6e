package dev.redlock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the end of one lease. Thread-safe.
 */
final class LeaseNotifier {

	private static final Logger logger = LoggerFactory.getLogger(LeaseNotifier.class);

	private final HeldLease lease;

	private final LockContext context;

	private final CompletableFuture<LossReason> lost = new CompletableFuture<>();

	LeaseNotifier(HeldLease lease, LockContext context) {
		this.lease = lease;
		this.context = context;
	}

	/**
	 * Returns a stage that completes on the executor for callbacks when the lease is
	 * lost.
	 */
	CompletionStage<LossReason> lost() {
		return this.lost.minimalCompletionStage();
	}

	/**
	 * Reports that the lease was lost.
	 */
	void lost(LossReason reason) {
		this.context.callbacks().execute(() -> {
			this.lost.complete(reason);
			try {
				this.context.listener().leaseLost(this.lease, reason);
			}
			catch (Throwable ex) {
				logger.warn("A listener failed when notified that the lock on {} was lost", this.lease.resources(), ex);
			}
			ended(HoldEnd.LOST);
		});
	}

	/**
	 * Reports that the lease is no longer held.
	 */
	void ended(HoldEnd end) {
		RequestNotifier notifier = this.lease.plan().notifier();
		if (notifier != null) {
			notifier.holdEnded(this.lease, end);
		}
	}

}

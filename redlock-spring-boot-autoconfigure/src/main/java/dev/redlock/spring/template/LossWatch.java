package dev.redlock.spring.template;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

import dev.redlock.LockLostException;
import dev.redlock.LossPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the loss policy to one piece of blocking work.
 */
final class LossWatch {

	private static final Logger logger = LoggerFactory.getLogger(RedLockTemplate.class);

	private final BoundLease lease;

	private final LossPolicy policy;

	private final Thread worker;

	/**
	 * Guards the two flags. The interrupt is sent while it is held, so that none can
	 * arrive after the work has ended and hit what the thread does next.
	 */
	private final ReentrantLock lock = new ReentrantLock();

	private boolean ended;

	private boolean interrupted;

	private LossWatch(BoundLease lease, LossPolicy policy, Thread worker) {
		this.lease = lease;
		this.policy = policy;
		this.worker = worker;
	}

	/**
	 * Watches over work that the current thread is about to begin.
	 */
	static LossWatch start(BoundLease lease, LossPolicy policy) {
		LossWatch watch = new LossWatch(lease, policy, Thread.currentThread());
		if (policy == LossPolicy.INTERRUPT) {
			lease.lost().thenRun(watch::interrupt);
		}
		return watch;
	}

	/**
	 * The work has ended.
	 * @return the loss that the caller is to hear of
	 */
	Optional<LockLostException> end() {
		if (disarm()) {
			// Ours, and the work did not consume it: it says nothing to the caller.
			Thread.interrupted();
		}
		return report(this.lease, this.policy);
	}

	/**
	 * The loss that the caller is to hear of; one that is to be ignored is logged.
	 */
	static Optional<LockLostException> report(BoundLease lease, LossPolicy policy) {
		Optional<LockLostException> loss = lease.loss();
		if (policy != LossPolicy.IGNORE) {
			return loss;
		}
		loss.ifPresent((lost) -> logger.atWarn()
			.addKeyValue("redlock.resources", lease.resources())
			.addKeyValue("redlock.reason", lost.reason())
			.log("Ignored as asked: {}", lost.getMessage()));
		return Optional.empty();
	}

	private boolean disarm() {
		this.lock.lock();
		try {
			this.ended = true;
			return this.interrupted;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void interrupt() {
		this.lock.lock();
		try {
			// A flag that is set already is somebody else's and must survive the work.
			if (!this.ended && !this.worker.isInterrupted()) {
				this.interrupted = true;
				this.worker.interrupt();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

}

package dev.redlock.spring.template;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import dev.redlock.LockLostException;
import dev.redlock.LossPolicy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the loss policy to one piece of blocking work.
 */
final class LossWatch {

	private static final Logger logger = LoggerFactory.getLogger(RedLockTemplate.class);

	/**
	 * The longest pause between two looks at the flag of a worker that was interrupted.
	 */
	private static final long LONGEST_PAUSE_MILLIS = 64;

	private final BoundLease lease;

	private final LossPolicy policy;

	private final Thread worker;

	/**
	 * Guards the flags. The interrupt is sent while it is held, so that none can arrive
	 * after the work has ended and hit what the thread does next.
	 */
	private final ReentrantLock lock = new ReentrantLock();

	private boolean ended;

	/**
	 * Whether the worker has an interrupt of ours that the work has not consumed, as far
	 * as that can be seen.
	 */
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
	 * Ends the watch because the work has ended.
	 * @param failure what the work has thrown, if anything
	 * @return the loss that the caller is to hear of
	 */
	Optional<LockLostException> end(@Nullable Throwable failure) {
		// An InterruptedException comes with the flag cleared. A flag that is set all the
		// same was set by somebody else.
		if (disarm() && !(failure instanceof InterruptedException)) {
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
				watchFlagIn(1);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Looks until the work has consumed the interrupt or has ended. An interrupt that
	 * arrives after that is not ours, and must survive.
	 */
	private void watchFlag(long pauseMillis) {
		this.lock.lock();
		try {
			this.interrupted = this.interrupted && this.worker.isInterrupted();
			if (this.interrupted && !this.ended) {
				watchFlagIn(Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS));
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void watchFlagIn(long millis) {
		// Runs on the timer of the JDK.
		CompletableFuture.runAsync(() -> watchFlag(millis),
				CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, Runnable::run));
	}

}

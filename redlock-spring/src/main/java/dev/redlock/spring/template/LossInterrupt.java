package dev.redlock.spring.template;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

import dev.redlock.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread of blocking work once when its lease is lost. The interrupt flag
 * does not stay set after the work.
 */
final class LossInterrupt {

	private final Thread worker = Thread.currentThread();

	/**
	 * The mutex that is held while the interrupt is sent, so that no interrupt arrives
	 * after the work has ended.
	 */
	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * Set before the worker waits for this mutex. During that wait, the JDK clears the
	 * interrupt flag for a moment, so a missing flag proves nothing after this point.
	 */
	private volatile boolean ended;

	private boolean sent;

	private LossInterrupt() {
	}

	/**
	 * Runs work in this thread, and interrupts the thread when one of the leases is lost.
	 * A lease for which outer work already interrupts this thread causes no second
	 * interrupt.
	 */
	static <T extends @Nullable Object> T call(List<BoundLease> leases, Callable<T> work) throws Exception {
		LossInterrupt interrupt = new LossInterrupt();
		List<BoundLease> observed = leases.stream().filter((lease) -> lease.claimInterrupt(interrupt.worker)).toList();
		List<CompletableFuture<LossReason>> losses = observed.stream()
			.map((lease) -> lease.lost().toCompletableFuture())
			.toList();
		losses.forEach((loss) -> loss.thenRun(interrupt::send));
		boolean consumed = false;
		try {
			return work.call();
		}
		catch (InterruptedException ex) {
			// This call clears the interrupt flag. If the flag is set later, another
			// source has set it.
			consumed = true;
			throw ex;
		}
		finally {
			observed.forEach((lease) -> lease.endInterrupt(interrupt.worker));
			losses.forEach((loss) -> loss.cancel(false));
			interrupt.end(consumed);
		}
	}

	private void send() {
		this.lock.lock();
		try {
			// Another source has set the interrupt flag, so it must stay set after the
			// work.
			if (!this.worker.isInterrupted() && !this.ended) {
				this.sent = true;
				this.worker.interrupt();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void end(boolean consumed) {
		this.ended = true;
		this.lock.lock();
		try {
			if (this.sent && !consumed) {
				Thread.interrupted();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

}

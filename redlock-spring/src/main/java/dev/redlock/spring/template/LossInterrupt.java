package dev.redlock.spring.template;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

import dev.redlock.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread of blocking work once when its lease is lost. The interrupt does
 * not outlive the work.
 */
final class LossInterrupt {

	private final Thread worker = Thread.currentThread();

	/**
	 * Is held while the interrupt is sent, so none arrives after the work has ended.
	 */
	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * Set before the worker waits for the lock, since the JDK takes an interrupt away for
	 * the time of that wait. So a missing flag says nothing from then on.
	 */
	private volatile boolean ended;

	private boolean sent;

	private LossInterrupt() {
	}

	/**
	 * Calls work in this thread, and interrupts it when one of the leases is lost, unless
	 * work around it in this thread is interrupted for that lease.
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
			// This clears the flag, so a flag that is set now came from elsewhere.
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
			// A flag that is set already came from elsewhere and must survive the work.
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

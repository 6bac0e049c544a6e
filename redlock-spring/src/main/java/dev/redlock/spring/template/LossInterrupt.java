package dev.redlock.spring.template;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

import dev.redlock.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread of a blocking callback once when the callback's lease is lost.
 * The interrupt flag is cleared when the callback has ended.
 */
final class LossInterrupt {

	private final Thread worker = Thread.currentThread();

	/**
	 * Held while the interrupt is sent, so that no interrupt arrives after the callback
	 * has ended.
	 */
	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * Whether the callback has ended. The field is set before the thread waits for
	 * {@link #lock}, because the JDK may clear the interrupt flag for a moment during
	 * that wait. After this point, a missing flag does not prove that no other code has
	 * interrupted the thread.
	 */
	private volatile boolean ended;

	private boolean sent;

	private LossInterrupt() {
	}

	/**
	 * Runs a callback on this thread, and interrupts the thread when one of the leases is
	 * lost. If an outer call already interrupts this thread for the loss of a lease, this
	 * call does not interrupt it again.
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
			// The InterruptedException means that the interrupt flag was cleared. If the
			// flag is set now, other code has set it and it must stay.
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
			// If other code has already interrupted the thread, no interrupt is sent, so
			// that the flag of the other code stays set after the callback.
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

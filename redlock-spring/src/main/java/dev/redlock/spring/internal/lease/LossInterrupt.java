package dev.redlock.spring.internal.lease;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

import dev.redlock.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread that runs a callback once when the callback's lease is lost, and
 * clears the interrupt flag when the callback has returned. Of an asynchronous callback,
 * only the part until it returns its stage is interrupted.
 */
public final class LossInterrupt {

	private final Thread worker = Thread.currentThread();

	/**
	 * This lock is held while the interrupt is sent, so that no interrupt arrives after
	 * the callback has ended.
	 */
	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * This field is set before {@link #end} waits for {@link #lock}, because the JDK may
	 * clear the interrupt flag for a moment during that wait. Without this field,
	 * {@link #send()} could interrupt a thread that other code has interrupted already.
	 */
	private volatile boolean ended;

	private boolean sent;

	private LossInterrupt() {
	}

	/**
	 * If an outer call interrupts this thread at the loss of a lease, this call does not
	 * interrupt the thread again.
	 */
	public static <T extends @Nullable Object> T call(List<GrantedLease> leases, Callable<T> work) throws Exception {
		LossInterrupt interrupt = new LossInterrupt();
		List<GrantedLease> observed = leases.stream()
			.filter((lease) -> lease.threadsToInterrupt.add(interrupt.worker))
			.toList();
		List<CompletableFuture<LossReason>> losses = observed.stream()
			.map((lease) -> lease.lost().toCompletableFuture())
			.toList();
		losses.forEach((loss) -> loss.thenRun(interrupt::send));
		boolean consumed = false;
		try {
			return work.call();
		}
		catch (InterruptedException ex) {
			// The InterruptedException has cleared the interrupt flag, so a flag that is
			// set now comes from other code and must stay.
			consumed = true;
			throw ex;
		}
		finally {
			observed.forEach((lease) -> lease.threadsToInterrupt.remove(interrupt.worker));
			losses.forEach((loss) -> loss.cancel(false));
			interrupt.end(consumed);
		}
	}

	private void send() {
		this.lock.lock();
		try {
			// No interrupt is sent to a thread that other code has interrupted, so that
			// the flag stays set after the callback.
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

package dev.redlock.spring.template;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import dev.redlock.Lease;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread of blocking work when its lease is lost. The interrupt does not
 * outlive the work, and an interrupt that comes from elsewhere does.
 */
final class LossInterrupt {

	private static final long LONGEST_PAUSE_MILLIS = 64;

	private final Thread worker = Thread.currentThread();

	/**
	 * Guards {@link #pending}, and is held while the interrupt is sent. So no interrupt
	 * arrives after the work has ended.
	 */
	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * Whether the worker has left the work. Set before the worker waits for the lock,
	 * since the JDK takes an interrupt away for the time of that wait. So a missing flag
	 * says nothing from then on, and this is read after the flag.
	 */
	private volatile boolean ended;

	/**
	 * Whether the interrupt was sent and the work has not consumed it, as far as can be
	 * seen.
	 */
	private boolean pending;

	private LossInterrupt() {
	}

	/**
	 * Calls work in this thread, and interrupts it when the lease is lost.
	 */
	static <T extends @Nullable Object> T call(Lease lease, Callable<T> work) throws Exception {
		LossInterrupt interrupt = new LossInterrupt();
		lease.lost().thenRun(interrupt::send);
		try {
			T result = work.call();
			interrupt.end(false);
			return result;
		}
		catch (Throwable failure) {
			interrupt.end(failure instanceof InterruptedException);
			throw failure;
		}
	}

	private void send() {
		exclusively(() -> {
			// A flag that is set already came from elsewhere and must survive the work.
			if (!this.worker.isInterrupted() && !this.ended) {
				this.pending = true;
				this.worker.interrupt();
				checkFlagAfter(1);
			}
		});
	}

	/**
	 * @param consumed whether the work ended with an InterruptedException. That clears
	 * the flag, so a flag that is set now came from elsewhere.
	 */
	private void end(boolean consumed) {
		this.ended = true;
		exclusively(() -> {
			if (this.pending && !consumed) {
				Thread.interrupted();
			}
		});
	}

	/**
	 * Looks until the work has consumed the interrupt or has ended. An interrupt that
	 * arrives after that came from elsewhere.
	 */
	private void checkFlag(long pauseMillis) {
		exclusively(() -> {
			boolean consumed = !this.worker.isInterrupted() && !this.ended;
			this.pending = this.pending && !consumed;
			if (this.pending && !this.ended) {
				checkFlagAfter(Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS));
			}
		});
	}

	private void checkFlagAfter(long millis) {
		// Runs on the timer of the JDK.
		CompletableFuture.runAsync(() -> checkFlag(millis),
				CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, Runnable::run));
	}

	private void exclusively(Runnable step) {
		this.lock.lock();
		try {
			step.run();
		}
		finally {
			this.lock.unlock();
		}
	}

}

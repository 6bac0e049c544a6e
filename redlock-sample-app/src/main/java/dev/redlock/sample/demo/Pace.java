package dev.redlock.sample.demo;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import dev.redlock.Lease;

/**
 * Lets the buyers of one sale take time to decide, and stops them when the sale stops.
 */
final class Pace {

	/**
	 * Enough time for other buyers to get the lock and to buy.
	 */
	private static final Duration BEHIND_THE_LEASE = Duration.ofSeconds(2);

	private final Duration thinkTime;

	private final AtomicBoolean pauseNext;

	private final Supplier<Protection> current;

	private final CountDownLatch stopped = new CountDownLatch(1);

	Pace(Duration thinkTime, AtomicBoolean pauseNext, Supplier<Protection> current) {
		this.thinkTime = thinkTime;
		this.pauseNext = pauseNext;
		this.current = current;
	}

	void stop() {
		this.stopped.countDown();
	}

	boolean isStopped() {
		return this.stopped.getCount() == 0;
	}

	/**
	 * Whether this buyer has to pause. Only the first one after the request has to. A
	 * buyer whose purchase began under another protection does not: it would show the
	 * opposite of what was asked for.
	 */
	boolean takePause(Protection protection) {
		return protection == this.current.get() && this.pauseNext.compareAndSet(true, false);
	}

	void think() {
		pass(this.thinkTime);
	}

	/**
	 * Pauses as a long garbage collection or a suspended machine does.
	 */
	void outlive(Lease lease) {
		pass(lease.remaining().plus(BEHIND_THE_LEASE));
	}

	/**
	 * Lets time pass.
	 * @throws CancellationException if the sale was stopped meanwhile
	 */
	void pass(Duration time) {
		try {
			if (this.stopped.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
				throw new CancellationException("The sale was stopped");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new CancellationException("The sale was stopped");
		}
	}

}

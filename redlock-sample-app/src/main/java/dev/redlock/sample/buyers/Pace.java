package dev.redlock.sample.buyers;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.Lease;

/**
 * How long buyers of one sale take to decide, and that they stop when the sale does.
 */
final class Pace {

	/**
	 * Enough for others to notice that the lock is free, and to buy.
	 */
	private static final Duration BEHIND_THE_LEASE = Duration.ofSeconds(2);

	private final Duration thinkTime;

	private final AtomicBoolean pauseNext;

	private final CountDownLatch stopped = new CountDownLatch(1);

	Pace(Duration thinkTime, AtomicBoolean pauseNext) {
		this.thinkTime = thinkTime;
		this.pauseNext = pauseNext;
	}

	void stop() {
		this.stopped.countDown();
	}

	boolean isStopped() {
		return this.stopped.getCount() == 0;
	}

	/**
	 * Whether this one is to stand still: the first to ask after it was wished for.
	 */
	boolean standsStill() {
		return this.pauseNext.compareAndSet(true, false);
	}

	void think() {
		pass(this.thinkTime);
	}

	/**
	 * As a long garbage collection does, or a machine that is suspended.
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

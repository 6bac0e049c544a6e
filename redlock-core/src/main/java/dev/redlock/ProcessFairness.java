package dev.redlock;

import java.time.Duration;
import java.util.random.RandomGenerator;

import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Shares one key fairly with other processes. All that processes know of each other is
 * how many of them listen for releases, and which releases were announced.
 * <p>
 * To move the lock to another process takes several times as long as to hand it on within
 * this one. So a process serves as many requests as waited when the lock came to it and
 * half as many again. Then it announces its release and yields: for a while it does not
 * ask. A process that has heard a release of each other process has waited longest, and
 * asks at once. The others ask at random moments, the further apart the more processes
 * there are, so that few of them ask at the same time.
 */
final class ProcessFairness {

	private static final int LONGEST_BATCH = 16;

	private static final int LONG_YIELD_GRACES = 16;

	private static final long LONGEST_YIELD_NANOS = Duration.ofMillis(100).toNanos();

	private final Ticker ticker;

	private final RandomGenerator random;

	private final RoundTimes roundTimes;

	/** How many other processes listen. */
	private int others;

	/** How many releases of other processes were heard since this one had the lock. */
	private int heard;

	/** How many requests of this process may have the lock before it yields. */
	private int batch;

	private int served;

	/** Whether another process had the lock since this one had it before. */
	private boolean othersTakeIt;

	private @Nullable Long yieldsUntilNanos;

	ProcessFairness(Ticker ticker, RandomGenerator random, RoundTimes roundTimes) {
		this.ticker = ticker;
		this.random = random;
		this.roundTimes = roundTimes;
	}

	/**
	 * This process has the lock, so all others come before it from here on.
	 * @param handedOver whether it had the lock before
	 * @param here how many requests want it here, the one that has it among them
	 */
	void won(boolean handedOver, int here) {
		if (!handedOver) {
			this.othersTakeIt = this.heard > 0;
			this.served = 0;
			this.batch = Math.min(LONGEST_BATCH, here + here / 2);
		}
		this.served++;
		this.heard = 0;
		this.yieldsUntilNanos = null;
	}

	/**
	 * Whether other processes are to have the lock next. Where none was known to wait
	 * when the lock came here, that is at once.
	 */
	boolean othersAreDue() {
		return this.others > 0 && this.served >= this.batch;
	}

	/**
	 * This process announces a release.
	 */
	void released() {
		yieldIfOthersWait();
	}

	/**
	 * So many other processes listened to a release of this one.
	 */
	void counted(int others) {
		this.others = others;
		if (others == 0) {
			this.yieldsUntilNanos = null;
		}
	}

	/**
	 * Another process has announced a release.
	 * @param others how many processes listened to it besides this one
	 */
	void heardRelease(int others) {
		this.others = others;
		this.heard++;
		this.yieldsUntilNanos = null;
		yieldIfOthersWait();
	}

	/**
	 * For how long this process is not to ask.
	 */
	Duration yieldsFor() {
		Long until = this.yieldsUntilNanos;
		return (until != null) ? Duration.ofNanos(Math.max(0, until - this.ticker.nanoTime())) : Duration.ZERO;
	}

	/**
	 * Whether there is anything to remember.
	 */
	boolean isAlone() {
		return this.others == 0 && this.yieldsUntilNanos == null;
	}

	private void yieldIfOthersWait() {
		if (this.others > 0) {
			this.yieldsUntilNanos = this.ticker.nanoTime() + yieldNanos();
		}
	}

	private long yieldNanos() {
		long grace = this.roundTimes.graceNanos();
		int before = this.others - this.heard;
		if (before > 0) {
			double spread = this.random.nextDouble() * before;
			return yieldNanos(grace) + (long) (grace * spread * spread);
		}
		// Several may have waited too long, and none of them as long as those before.
		double spread = this.random.nextDouble() * Math.min(1, -before);
		return (long) (grace * spread * spread);
	}

	/**
	 * Long enough for another process to take the lock and to release it again, where it
	 * did so before: to ask meanwhile would be in vain. Otherwise it may only listen.
	 */
	private long yieldNanos(long grace) {
		return this.othersTakeIt ? Math.max(grace, Math.min(LONGEST_YIELD_NANOS, grace * LONG_YIELD_GRACES)) : grace;
	}

}

package dev.redlock;

import java.time.Duration;
import java.util.random.RandomGenerator;

import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * How the processes that want one key take turns. All that they know of each other is how
 * many listen for releases, and which releases were announced.
 * <p>
 * To move the lock to another process takes several times as long as to hand it on within
 * this one. So a process serves as many requests as waited when the lock came to it and
 * half as many again, then announces its release and yields: for a while it does not ask.
 * The process that has heard a release of each other one has waited longest, and asks at
 * once. The others ask at random moments that lie the further apart the more they are, so
 * that few ask at the same time however many wait.
 */
final class ProcessTurns {

	private static final int LONGEST_BATCH = 16;

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

	private @Nullable Long yieldsUntilNanos;

	ProcessTurns(Ticker ticker, RandomGenerator random, RoundTimes roundTimes) {
		this.ticker = ticker;
		this.random = random;
		this.roundTimes = roundTimes;
	}

	/**
	 * This process has the lock, so it has its turn again after all others.
	 * @param handedOver whether it had the lock before
	 * @param here how many requests want it here, the one that has it among them
	 */
	void won(boolean handedOver, int here) {
		this.heard = 0;
		this.yieldsUntilNanos = null;
		if (!handedOver) {
			this.served = 0;
			this.batch = Math.min(LONGEST_BATCH, here + here / 2);
		}
		this.served++;
	}

	/**
	 * Whether other processes are to have their turn now. Where none was known to wait
	 * when the lock came here, there is no batch whose end they wait for.
	 */
	boolean isOthersTurn() {
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
			double place = this.random.nextDouble() * before;
			return (long) (grace * (1 + place * place));
		}
		// Several may have waited too long, and none of them as long as those before.
		double place = this.random.nextDouble() * Math.min(1, -before);
		return (long) (grace * place * place);
	}

}

package dev.redlock;

import java.util.random.RandomGenerator;

/**
 * What is known of those who wait for one key in other processes. Guarded by the lock of
 * the line that it belongs to.
 */
final class Elsewhere {

	private static final int LONGEST_BATCH = 16;

	private static final int LONGEST_OVERDUE = 3;

	private int others;

	private int heard;

	/**
	 * How many may have the lock here, and have had it, before others get their chance.
	 */
	private int batch;

	private int served;

	/**
	 * A release was heard by so many, this process among them.
	 */
	void heardRelease(int listeners) {
		this.others = Math.max(0, listeners - 1);
		this.heard++;
	}

	/**
	 * So many listened when this process released.
	 * @param listening whether this process was one of them
	 */
	void counted(int listeners, boolean listening) {
		this.others = Math.max(0, listeners - (listening ? 1 : 0));
	}

	/**
	 * This process has the lock, so for those elsewhere it goes to the end.
	 * @param handedOver whether it had the lock before
	 * @param here how many want it here
	 */
	void served(boolean handedOver, int here) {
		this.heard = 0;
		if (!handedOver) {
			this.served = 0;
			this.batch = Math.min(LONGEST_BATCH, here + here / 2);
		}
		this.served++;
	}

	/**
	 * Whether others are to have their chance now. Where nobody was known to wait
	 * elsewhere when the lock came here, there is no batch whose end they wait for.
	 */
	boolean isDue() {
		return this.others > 0 && this.served >= this.batch;
	}

	/**
	 * How long this process stands back after a release, in nanoseconds.
	 * <p>
	 * Where all take turns, the one who has heard as many releases as there are listeners
	 * has waited longest, and goes at once. The others give it time, and then come at
	 * random moments that lie the further apart the more they are, so that few ask at the
	 * same time however many wait.
	 */
	long standBackNanos(long graceNanos, RandomGenerator random) {
		int listeners = this.others + 1;
		int behind = listeners - this.heard;
		if (behind > 0) {
			double place = random.nextDouble() * behind;
			return (long) (graceNanos * (1 + place * place));
		}
		double place = random.nextDouble() * Math.min(LONGEST_OVERDUE, -behind);
		return (long) (graceNanos * place * place);
	}

}

package dev.redlock.sample.buyers;

/**
 * One purchase as far as it has got. Times are microseconds since the epoch, and 0 for
 * what has not happened.
 *
 * @param jvm the name of the JVM
 * @param buyer the number of the buyer, from 1
 * @param number which purchase of this JVM it is
 * @param protection what keeps it apart from others
 * @param waitingMicros when it began to wait for the lock
 * @param holdingMicros when it had the lock, or began to think without one
 * @param lostMicros when its lock was lost
 * @param endMicros when it was over
 * @param fence the fence of its lock, 0 without one
 * @param paused whether it stands still with the lock
 * @param phase how it stands
 * @param detail a sentence for people about how it ended, or empty
 */
public record Turn(String jvm, int buyer, long number, Protection protection, long waitingMicros, long holdingMicros,
		long lostMicros, long endMicros, long fence, boolean paused, Phase phase, String detail) {

	static Turn waiting(String jvm, int buyer, long number, Protection protection, long nowMicros) {
		return new Turn(jvm, buyer, number, protection, nowMicros, 0, 0, 0, 0, false, Phase.WAITING, "");
	}

	Turn holding(long nowMicros, long newFence) {
		return new Turn(this.jvm, this.buyer, this.number, this.protection, this.waitingMicros, nowMicros, 0, 0,
				newFence, false, Phase.HOLDING, "");
	}

	Turn standingStill() {
		return new Turn(this.jvm, this.buyer, this.number, this.protection, this.waitingMicros, this.holdingMicros,
				this.lostMicros, 0, this.fence, true, this.phase, "");
	}

	Turn lost(long nowMicros) {
		return new Turn(this.jvm, this.buyer, this.number, this.protection, this.waitingMicros, this.holdingMicros,
				nowMicros, this.endMicros, this.fence, this.paused, this.phase, this.detail);
	}

	Turn ended(long nowMicros, Phase how, String why) {
		return new Turn(this.jvm, this.buyer, this.number, this.protection, this.waitingMicros, this.holdingMicros,
				this.lostMicros, nowMicros, this.fence, this.paused, how, why);
	}

	/**
	 * How a purchase stands.
	 */
	public enum Phase {

		/**
		 * Waits for the lock.
		 */
		WAITING,

		/**
		 * Between reading and writing the stock.
		 */
		HOLDING,

		/**
		 * Sold one unit.
		 */
		SOLD,

		/**
		 * Found nothing left.
		 */
		SOLD_OUT,

		/**
		 * Came too late, and the stock refused to be written.
		 */
		REFUSED,

		/**
		 * Came too late, and wrote over what others had sold meanwhile.
		 */
		WRONG,

		/**
		 * Came too late, and nobody had been in between.
		 */
		LATE,

		/**
		 * Did not get the lock.
		 */
		GAVE_UP,

		/**
		 * Was sent away.
		 */
		STOPPED,

		/**
		 * Failed in another way.
		 */
		FAILED

	}

}

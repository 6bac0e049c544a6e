package dev.redlock.sample.demo;

/**
 * The progress of one purchase. Times are microseconds since the epoch, or 0 if the step
 * has not happened.
 *
 * @param jvm the name of the JVM
 * @param buyer the number of the buyer, from 1
 * @param number the number of the purchase in its JVM
 * @param protection the protection of the purchase
 * @param waitingMicros the time when it began to wait for the lock
 * @param holdingMicros the time when it got the lock, or began to think without one
 * @param lostMicros the time when its lock was lost
 * @param endMicros the time when it ended
 * @param fence the fence of its lock, 0 without one
 * @param paused whether it is paused while it holds the lock
 * @param phase the current step
 * @param detail a sentence for people about its end, or empty
 */
record Turn(String jvm, int buyer, long number, Protection protection, long waitingMicros, long holdingMicros,
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
	 * The steps and ends of a purchase.
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
		 * Came too late, and the stock refused the write.
		 */
		REFUSED,

		/**
		 * Came too late, and overwrote sales of other buyers.
		 */
		WRONG,

		/**
		 * Came too late, but no other buyer had bought in between.
		 */
		LATE,

		/**
		 * Did not get the lock.
		 */
		GAVE_UP,

		/**
		 * Was stopped.
		 */
		STOPPED,

		/**
		 * Failed in another way.
		 */
		FAILED

	}

}

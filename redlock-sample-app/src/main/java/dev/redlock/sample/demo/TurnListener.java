package dev.redlock.sample.demo;

/**
 * Gets every change of every turn. It is called by many threads, and must not block.
 */
@FunctionalInterface
interface TurnListener {

	/**
	 * Called when a turn has begun, changed or ended.
	 * @param turn the current state
	 */
	void turnChanged(Turn turn);

}

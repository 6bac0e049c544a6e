package dev.redlock.sample.buyers;

/**
 * Is told of every turn as it goes on. Called by many threads, and must not block.
 */
@FunctionalInterface
public interface TurnListener {

	/**
	 * A turn has begun, gone on or ended.
	 * @param turn how it stands now
	 */
	void turnChanged(Turn turn);

}

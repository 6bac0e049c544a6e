package dev.redlock.sample.demo;

/**
 * The protection of purchases against each other.
 */
enum Protection {

	/**
	 * The lock, and the fence that the stock checks on every write.
	 */
	LOCK_AND_FENCE,

	/**
	 * The lock alone.
	 */
	LOCK,

	/**
	 * No protection.
	 */
	NONE;

	/**
	 * Whether purchases take the lock.
	 * @return false for {@link #NONE}
	 */
	public boolean locks() {
		return this != NONE;
	}

}

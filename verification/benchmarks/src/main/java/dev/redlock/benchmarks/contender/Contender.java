package dev.redlock.benchmarks.contender;

/**
 * A lock as its users have it, connected to its servers. Any thread may use it.
 */
public interface Contender extends AutoCloseable {

	/**
	 * Does work under a lock, waiting for it as long as the terms allow.
	 * @param name the name of the lock
	 * @param work runs while the lock is held
	 * @return whether the lock was acquired and the work done
	 */
	boolean withLock(String name, Runnable work);

	/**
	 * Waits until all servers vote again after one of them was away. Does nothing for a
	 * lock that has no such notion.
	 */
	default void awaitReady() {
	}

	@Override
	void close();

}

package dev.redlock.nemesis;

import java.time.Duration;
import java.util.Optional;

/**
 * A lock that the suite drives. Has a constructor without arguments, lives in a client
 * process of its own, and is used by several threads at once.
 */
public interface LockDriver extends AutoCloseable {

	/**
	 * Put before each name to make its key.
	 */
	String KEY_PREFIX = "nemesis:";

	/**
	 * The largest ttl of most drivers. Short, so that the quarantine of a server that
	 * lost its data ends within a run.
	 */
	Duration MAX_TTL = Duration.ofSeconds(2);

	/**
	 * Connects to the servers.
	 * @param addresses the hosts and ports of independent masters, such as
	 * {@code 127.0.0.1:6379}
	 * @param restartGuard whether servers that may have forgotten locks are to be kept
	 * from voting, where the lock has such a thing
	 */
	void connect(Iterable<String> addresses, boolean restartGuard);

	/**
	 * Asks for a lock.
	 * @param name what to lock
	 * @param ttl for how long at most
	 * @param wait how long to wait for it; zero for one attempt
	 * @return the lock, empty if it was not acquired
	 * @throws InterruptedException if the thread was interrupted
	 */
	Optional<Grant> acquire(String name, Duration ttl, Duration wait) throws InterruptedException;

	/**
	 * Whether locks are renewed until they are released. They are held for longer than
	 * their ttl then.
	 * @return true if no lock ends by itself
	 */
	default boolean renews() {
		return false;
	}

	/**
	 * Lets go of what the threads of this process do not hold, before it is looked at
	 * what is left on the servers.
	 */
	default void settle() {
	}

	@Override
	void close();

	/**
	 * A lock that was acquired.
	 */
	interface Grant {

		/**
		 * The fence.
		 * @return the fence, 0 if the lock has none
		 */
		long fence();

		/**
		 * Until when the holder may trust the lock, for all that it was told by now.
		 * @return the moment by {@link SteppedClock#machineNanos()}
		 */
		long validUntilNanos();

		/**
		 * Sets who is told when the lock is lost. Does nothing where the lock never
		 * tells.
		 * @param listener is told at most once
		 */
		default void onLoss(Runnable listener) {
		}

		/**
		 * Releases the lock and waits for what the servers say, for a bounded time.
		 * @return how many servers confirmed, or -1 where the lock does not say
		 */
		int release();

	}

}

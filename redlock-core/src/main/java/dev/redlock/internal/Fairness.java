package dev.redlock.internal;

import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;

/**
 * The rules by which the requests of one queue share their keys with other processes, and
 * with requests of this process for other sets of names. Processes know only two facts
 * about each other: how many of them subscribe to releases, and which releases were
 * announced.
 * <p>
 * Moving the lock to another process takes several times as long as a handover within a
 * queue. A queue therefore keeps the lock for a batch of its own requests. A batch has
 * one and a half times as many requests as were waiting when the queue got the lock, up
 * to a limit. A queue that knows of no other process has no limit. After the batch, the
 * queue announces its release and pauses, so that other processes can take the lock. A
 * queue that has received one release for each of the other processes asks at once,
 * because all of them have probably had the lock. After more releases, the queue asks
 * after a short random time, because other processes may do the same. In all other cases
 * the queue asks at a random moment. The more processes are ahead of the queue, the wider
 * these moments are spread, so that few processes ask at the same time. The spread is
 * limited, so that no process sleeps for long beside a free lock.
 */
final class Fairness {

	private static final int LONGEST_BATCH = 16;

	private static final int GRACES_TO_LOCK_AND_RELEASE = 16;

	private static final long LONGEST_TO_LOCK_AND_RELEASE_NANOS = Duration.ofMillis(100).toNanos();

	private static final long WIDEST_SPREAD_NANOS = Duration.ofSeconds(1).toNanos();

	private final RandomGenerator random;

	private final RoundTimes roundTimes;

	private final IntSupplier waitingHere;

	/** The number of other processes that were subscribed at the last release. */
	private int listeners;

	/**
	 * The number of releases by other processes since a request of this queue last had
	 * the lock.
	 */
	private int releasesByOthers;

	/**
	 * The number of requests of this process that may still get the lock in this batch.
	 */
	private int left;

	/**
	 * Whether other processes had the lock since a request of this queue last had it.
	 */
	private boolean othersTakeIt;

	/**
	 * Creates the rules of a queue that knows of no other process.
	 * @param waitingHere the number of other queues of this process that wait for one of
	 * the keys
	 */
	Fairness(RandomGenerator random, RoundTimes roundTimes, IntSupplier waitingHere) {
		this.random = random;
		this.roundTimes = roundTimes;
		this.waitingHere = waitingHere;
	}

	/**
	 * Counts a lease. A lease begins a new batch, unless the lease follows a handover and
	 * other processes have not released the lock since. In a new batch, all other
	 * processes are ahead of this queue again.
	 * @param handedOver whether the lease follows a handover, which is not announced to
	 * other processes
	 * @param requests the number of requests in the queue, with the one that has the
	 * lease
	 */
	void won(boolean handedOver, int requests) {
		if (!handedOver || this.releasesByOthers > 0) {
			this.othersTakeIt = this.releasesByOthers > 0;
			// If no other process is known, the first one to appear may take the lock at
			// once.
			boolean alone = this.releasesByOthers == 0 && others() == 0;
			this.left = alone ? 0 : Math.min(LONGEST_BATCH, requests + requests / 2);
		}
		this.left--;
		this.releasesByOthers = 0;
	}

	/**
	 * Whether other processes should have the lock next.
	 */
	boolean othersAreDue() {
		return this.left <= 0 && others() > 0;
	}

	/**
	 * Returns how long to leave the lock to other processes after a release. The time is
	 * zero if no other process wants the lock, or if each of them has probably had it.
	 */
	long turnNanos() {
		int others = others();
		if (others == 0) {
			return 0;
		}
		long grace = this.roundTimes.graceNanos();
		int ahead = others - this.releasesByOthers;
		if (ahead <= 0) {
			return randomly((ahead == 0) ? 0 : grace);
		}
		// An earlier try would be refused. Other processes that never took the lock may
		// only be subscribed.
		long shortest = this.othersTakeIt
				? Math.min(LONGEST_TO_LOCK_AND_RELEASE_NANOS, grace * GRACES_TO_LOCK_AND_RELEASE) : grace;
		return shortest + randomly(Math.min(WIDEST_SPREAD_NANOS, grace * ahead * ahead));
	}

	/** Handles a release by another process. */
	void releasedByOthers() {
		this.releasesByOthers++;
	}

	/**
	 * Handles the number of other processes that were subscribed at a release.
	 */
	void counted(int others) {
		this.listeners = others;
	}

	/** Whether other processes are known to listen. */
	boolean knowsOthers() {
		return this.listeners > 0;
	}

	/** Forgets all other processes. */
	void forget() {
		this.listeners = 0;
		this.releasesByOthers = 0;
		this.othersTakeIt = false;
	}

	private int others() {
		// A node may not have counted the other queues of this process.
		return Math.max(this.listeners, this.waitingHere.getAsInt());
	}

	/** Returns a random time up to the longest. Short times are more likely. */
	private long randomly(long longestNanos) {
		double random = this.random.nextDouble();
		return (long) (longestNanos * random * random);
	}

}

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
 * queue. So a queue keeps the lock for a batch: one and a half times as many requests as
 * were waiting when it got the lock, up to a limit. While it knows of no other process,
 * there is no limit. After the batch, it announces its release and pauses, so that others
 * can take the lock. If it has heard one release for each of the others, all of them have
 * probably had the lock, and it asks at once. After more releases, it asks within a
 * moment, because others may do the same. Otherwise it asks at a random moment. The more
 * others are ahead of it, the wider these moments are spread, so that few processes ask
 * at the same time. The spread is limited, because the last ones would otherwise sleep
 * for long beside a free lock.
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

	/** The number of releases by others since this queue had the lock. */
	private int releasesByOthers;

	/** The number of requests that may still have the lock in this batch. */
	private int left;

	/**
	 * Whether others had the lock since the previous time this queue had it.
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
	 * Counts a lease. It begins a new batch, unless it follows a handover and others have
	 * not released the lock since. All others are then ahead of this queue again.
	 * @param handedOver whether the lease follows a handover, which is not announced to
	 * others
	 * @param requests the number of requests in the queue, with the one that has the
	 * lease
	 */
	void won(boolean handedOver, int requests) {
		if (!handedOver || this.releasesByOthers > 0) {
			this.othersTakeIt = this.releasesByOthers > 0;
			// If no others are known, the first one to appear is due at once.
			boolean alone = this.releasesByOthers == 0 && others() == 0;
			this.left = alone ? 0 : Math.min(LONGEST_BATCH, requests + requests / 2);
		}
		this.left--;
		this.releasesByOthers = 0;
	}

	/**
	 * Whether others should have the lock next.
	 */
	boolean othersAreDue() {
		return this.left <= 0 && others() > 0;
	}

	/**
	 * Returns how long to leave the lock to others after a release; zero if no others
	 * want it, or if each of them has probably had it.
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
		// An earlier try would be refused. If others never took the lock, they may only
		// be subscribed.
		long shortest = this.othersTakeIt
				? Math.min(LONGEST_TO_LOCK_AND_RELEASE_NANOS, grace * GRACES_TO_LOCK_AND_RELEASE) : grace;
		return shortest + randomly(Math.min(WIDEST_SPREAD_NANOS, grace * ahead * ahead));
	}

	/** Handles a release by others. */
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

	/** Forgets all others. */
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

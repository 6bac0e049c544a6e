package dev.redlock.internal;

import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;

/**
 * The rules by which one queue of requests shares its lock with other processes. The
 * rules also count other queues of this process that wait for one of the same keys. A
 * process knows only how many processes subscribe to releases of the lock, and which
 * releases were announced.
 * <p>
 * A handover of the lock to another process takes several times as long as a handover
 * within the queue. A queue therefore keeps the lock for a batch of its own requests. A
 * batch is one and a half times as large as the number of waiting requests when the queue
 * got the lock, up to a limit. If the queue knows of no other process, a batch has no
 * limit. After the batch, the queue announces its release and pauses, so that other
 * processes can take the lock. The queue asks at once when it has received one release
 * for each other process, because each has probably had the lock. If the queue receives
 * more releases than there are other processes, the queue asks after a short random time.
 * With fewer releases, the queue asks after a longer random time. The longest random time
 * grows with the number of processes that have not had the lock, so that few processes
 * ask together. The longest random time is limited, so that no process sleeps for long
 * while the lock is free.
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
	 * The number of requests of this queue that may still get the lock in the current
	 * batch.
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
	 * Counts a lease of a request of this queue. The lease begins a new batch if it
	 * follows no handover, or if another process has released the lock since the
	 * handover.
	 * @param handedOver whether the lease follows a handover, which is not announced to
	 * other processes
	 * @param requests the number of requests in the queue, with the one that has the
	 * lease
	 */
	void won(boolean handedOver, int requests) {
		if (!handedOver || this.releasesByOthers > 0) {
			this.othersTakeIt = this.releasesByOthers > 0;
			// If this queue knows of no other process, the first process that appears may
			// take the lock at once.
			boolean alone = this.releasesByOthers == 0 && others() == 0;
			this.left = alone ? 0 : Math.min(LONGEST_BATCH, requests + requests / 2);
		}
		this.left--;
		this.releasesByOthers = 0;
	}

	/**
	 * Whether the next lease should go to another process, because the batch of this
	 * queue is used up.
	 */
	boolean othersAreDue() {
		return this.left <= 0 && others() > 0;
	}

	/**
	 * Returns for how many nanoseconds this queue leaves the lock to other processes
	 * after a release. The result is zero if no other process wants the lock, or if each
	 * other process has probably had the lock.
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
		// Before this time, a try would be refused because another process holds the
		// lock. Processes that never took the lock may only be subscribed to its
		// releases.
		long shortest = this.othersTakeIt
				? Math.min(LONGEST_TO_LOCK_AND_RELEASE_NANOS, grace * GRACES_TO_LOCK_AND_RELEASE) : grace;
		return shortest + randomly(Math.min(WIDEST_SPREAD_NANOS, grace * ahead * ahead));
	}

	void releasedByOthers() {
		this.releasesByOthers++;
	}

	void counted(int others) {
		this.listeners = others;
	}

	boolean knowsOthers() {
		return this.listeners > 0;
	}

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

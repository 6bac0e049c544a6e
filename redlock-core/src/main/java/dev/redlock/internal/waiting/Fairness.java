package dev.redlock.internal.waiting;

import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;

import dev.redlock.internal.vote.RoundTimes;

/**
 * Decides when one queue of requests leaves the lock to other processes. Passing the lock
 * to another process takes several times as long as passing it to the next request of the
 * same process. Each queue serves a batch of its own requests, and then pauses so that
 * other processes can take the lock. Each process pauses for a random time, because
 * processes that ask at the same moment may each get only a minority of the nodes. No
 * process pauses for long, because the lock may be free meanwhile.
 */
final class Fairness {

	private static final int LONGEST_BATCH = 16;

	private static final int GRACES_TO_LOCK_AND_RELEASE = 16;

	private static final long LONGEST_TO_LOCK_AND_RELEASE_NANOS = Duration.ofMillis(100).toNanos();

	private static final long WIDEST_SPREAD_NANOS = Duration.ofSeconds(1).toNanos();

	private final RandomGenerator random;

	private final RoundTimes roundTimes;

	private final IntSupplier otherWaitingQueues;

	private int subscribedProcesses;

	private int releasesByOthers;

	private int leftInBatch;

	private boolean othersHadLock;

	Fairness(RandomGenerator random, RoundTimes roundTimes, IntSupplier otherWaitingQueues) {
		this.random = random;
		this.roundTimes = roundTimes;
		this.otherWaitingQueues = otherWaitingQueues;
	}

	/**
	 * Counts a lease in the current batch, or in a new batch if other processes could
	 * have taken the lock.
	 * @param requests the number of requests in the queue, including the request that got
	 * the lease
	 */
	void won(boolean handedOver, int requests) {
		if (!handedOver || this.releasesByOthers > 0) {
			this.othersHadLock = this.releasesByOthers > 0;
			// A process without competitors has an empty batch, so the first competitor
			// can take the lock at once.
			boolean alone = this.releasesByOthers == 0 && others() == 0;
			this.leftInBatch = alone ? 0 : Math.min(LONGEST_BATCH, requests + requests / 2);
		}
		this.leftInBatch--;
		this.releasesByOthers = 0;
	}

	boolean mustLeaveLockToOthers() {
		return this.leftInBatch <= 0 && others() > 0;
	}

	long pauseForOthersNanos() {
		int others = others();
		if (others == 0) {
			return 0;
		}
		long grace = this.roundTimes.graceNanos();
		int ahead = others - this.releasesByOthers;
		if (ahead <= 0) {
			return randomly((ahead == 0) ? 0 : grace);
		}
		// Other processes that take the lock keep it for a while, so an early try would
		// probably be refused. Subscribers that have not taken the lock may not want the
		// lock, so the pause for them is short.
		long shortest = this.othersHadLock
				? Math.min(LONGEST_TO_LOCK_AND_RELEASE_NANOS, grace * GRACES_TO_LOCK_AND_RELEASE) : grace;
		return shortest + randomly(Math.min(WIDEST_SPREAD_NANOS, grace * ahead * ahead));
	}

	void releasedByOthers() {
		this.releasesByOthers++;
	}

	void counted(int others) {
		this.subscribedProcesses = others;
	}

	boolean knowsOthers() {
		return this.subscribedProcesses > 0;
	}

	void forget() {
		this.subscribedProcesses = 0;
		this.releasesByOthers = 0;
		this.othersHadLock = false;
	}

	private int others() {
		// The nodes count only the subscribed processes, and not the other queues of this
		// process that wait for the lock.
		return Math.max(this.subscribedProcesses, this.otherWaitingQueues.getAsInt());
	}

	/** Returns a random time up to the given time, with short times more likely. */
	private long randomly(long longestNanos) {
		double random = this.random.nextDouble();
		return (long) (longestNanos * random * random);
	}

}

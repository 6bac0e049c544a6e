package dev.redlock.spring.lock;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * The lease of one thread for one lock, with the number of times that the thread has
 * locked the lock. Only the thread that has the lock uses a {@code ThreadLease}.
 */
final class ThreadLease {

	private static final Duration PAUSE = Duration.ofMillis(100);

	private final Lease lease;

	private final Duration ttl;

	private int count = 1;

	private boolean abandoned;

	ThreadLease(Lease lease, Duration ttl) {
		this.lease = lease;
		this.ttl = ttl;
	}

	Lease lease() {
		return this.lease;
	}

	/**
	 * Asks the Redis nodes to keep the lease for another ttl.
	 * @param longer the new ttl; null for the ttl with which the lease was acquired
	 */
	boolean extend(@Nullable Duration longer) {
		return this.lease.extend(ttl(longer));
	}

	/**
	 * Asks the Redis nodes to keep the lease, for a thread that locks again. A round
	 * without a majority is not a loss, so the nodes are asked again until the wait is
	 * over. After the wait, the lock counts as held if its remaining time is more than
	 * twice the wait. A leader that locks again at regular intervals therefore stops
	 * leading before its lock is lost.
	 * @param wait the longest time to wait for the answers of the nodes
	 */
	boolean extend(@Nullable Duration longer, Duration wait) throws InterruptedException {
		long start = System.nanoTime();
		Duration left = wait.isZero() ? this.lease.remaining() : wait;
		while (!await(this.lease.extendAsync(ttl(longer)), shorter(left, this.lease.remaining()))) {
			left = wait.minusNanos(System.nanoTime() - start);
			if (!this.lease.isValid()) {
				return false;
			}
			if (left.isNegative() || left.isZero()) {
				return this.lease.remaining().dividedBy(2).compareTo(wait) > 0;
			}
			// A loss ends the pause before the next round.
			await(this.lease.lost(), shorter(left, PAUSE));
			left = wait.minusNanos(System.nanoTime() - start);
		}
		return true;
	}

	/**
	 * Waits until a stage has a value, at most for the longest time.
	 * @return whether the stage has the value true
	 */
	private static boolean await(CompletionStage<?> stage, Duration longest) throws InterruptedException {
		try {
			return Boolean.TRUE.equals(stage.toCompletableFuture().get(longest.toNanos(), TimeUnit.NANOSECONDS));
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("An internal stage of a lease failed, which is a bug", ex.getCause());
		}
	}

	void enter() {
		this.count++;
	}

	/**
	 * Releases the lease.
	 * @return whether the lease was still valid, and its loss was not reported before
	 */
	boolean close() {
		boolean inTime = !this.abandoned && this.lease.isValid();
		this.lease.close();
		return inTime;
	}

	/**
	 * Counts one unlock.
	 * @return whether the thread has unlocked the lock as often as it has locked it
	 */
	boolean leave() {
		return --this.count == 0;
	}

	/**
	 * Marks the lease as lost after the loss was reported to the thread. The lease is not
	 * released yet, because outer code of the thread still works under the lock and needs
	 * time to stop. The lease is released when the outer code unlocks, or when the thread
	 * acquires the lock anew.
	 */
	void abandon() {
		this.abandoned = true;
	}

	/**
	 * Returns whether the loss of the lease was reported to the thread. After the report,
	 * the thread may acquire the lock anew.
	 */
	boolean isAbandoned() {
		return this.abandoned;
	}

	LockLostException loss() {
		LossReason reason = this.lease.lost().toCompletableFuture().getNow(LossReason.EXPIRED);
		return new LockLostException(this.lease.resources(), reason);
	}

	static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	private Duration ttl(@Nullable Duration longer) {
		return (longer != null) ? longer : this.ttl;
	}

}

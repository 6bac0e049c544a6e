package dev.redlock.spring.lock;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * The lease of one thread for one lock, and the number of times that the thread has
 * locked it. Only the owning thread uses this object.
 */
final class ThreadLease {

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
	 * Asks the nodes to keep the lease for another ttl.
	 * @param longer the ttl, null for the ttl at its acquisition
	 */
	boolean extend(@Nullable Duration longer) {
		return this.lease.extend(ttl(longer));
	}

	/**
	 * Asks the nodes to keep the lease, for a thread that locks again. Without a majority
	 * of answers the lock counts as held while it is valid for more than twice the wait.
	 * A leader that asks at regular intervals therefore stops leading before the lock is
	 * lost.
	 */
	boolean extend(@Nullable Duration longer, Duration wait) throws InterruptedException {
		Duration longest = wait.isZero() ? this.lease.remaining() : shorter(wait, this.lease.remaining());
		try {
			if (this.lease.extendAsync(ttl(longer))
				.toCompletableFuture()
				.get(longest.toNanos(), TimeUnit.NANOSECONDS)) {
				return true;
			}
		}
		catch (TimeoutException ex) {
			// A round without answers is not a loss.
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("An internal stage of a lease failed, which is a bug", ex.getCause());
		}
		return this.lease.remaining().dividedBy(2).compareTo(wait) > 0;
	}

	void enter() {
		this.count++;
	}

	/**
	 * Releases the lease.
	 * @return whether the thread still held the lock
	 */
	boolean close() {
		boolean inTime = !this.abandoned && this.lease.isValid();
		this.lease.close();
		return inTime;
	}

	/**
	 * Counts one unlock.
	 * @return whether the thread has unlocked as often as it locked
	 */
	boolean leave() {
		return --this.count == 0;
	}

	/**
	 * Gives the lease up after its loss was reported to the thread. The lease itself is
	 * not released yet, because outer code of the thread still works under the lock and
	 * needs time to stop. The lease is released when the outer code unlocks, or when the
	 * thread acquires the lock anew.
	 */
	void abandon() {
		this.abandoned = true;
	}

	/**
	 * Returns whether the loss was reported to the thread, so that the thread may acquire
	 * the lock anew.
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

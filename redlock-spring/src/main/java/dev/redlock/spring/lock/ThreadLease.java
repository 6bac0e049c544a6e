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
 * locked the lock.
 */
final class ThreadLease {

	private static final Duration PAUSE = Duration.ofMillis(100);

	private final Lease lease;

	private final Duration ttl;

	private int count = 1;

	private boolean lossReported;

	ThreadLease(Lease lease, Duration ttl) {
		this.lease = lease;
		this.ttl = ttl;
	}

	Lease lease() {
		return this.lease;
	}

	boolean extend(@Nullable Duration newTtl) {
		return this.lease.extend(ttl(newTtl));
	}

	/**
	 * Repeats a failed extension until {@code wait} is over, because a lease without a
	 * majority may still be valid. Then returns false if the lease ends within twice that
	 * time, so that a Spring Integration leader stops in time.
	 */
	boolean extend(@Nullable Duration newTtl, Duration wait) throws InterruptedException {
		long start = System.nanoTime();
		Duration left = wait.isZero() ? this.lease.remaining() : wait;
		while (!await(this.lease.extendAsync(ttl(newTtl)), shorter(left, this.lease.remaining()))) {
			left = wait.minusNanos(System.nanoTime() - start);
			if (!this.lease.isValid()) {
				return false;
			}
			if (left.isNegative() || left.isZero()) {
				return this.lease.remaining().dividedBy(2).compareTo(wait) > 0;
			}
			await(this.lease.lost(), shorter(left, PAUSE));
			left = wait.minusNanos(System.nanoTime() - start);
		}
		return true;
	}

	private static boolean await(CompletionStage<?> stage, Duration longest) throws InterruptedException {
		try {
			return Boolean.TRUE.equals(stage.toCompletableFuture().get(longest.toNanos(), TimeUnit.NANOSECONDS));
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A CompletionStage of a lease failed. Report this bug.", ex.getCause());
		}
	}

	void countLock() {
		this.count++;
	}

	/**
	 * Releases the lease.
	 * @return true if the lease is valid and no call has reported its loss
	 */
	boolean close() {
		boolean inTime = !this.lossReported && this.lease.isValid();
		this.lease.close();
		return inTime;
	}

	/**
	 * Returns whether the thread has unlocked the lock as often as it has locked it.
	 */
	boolean countUnlock() {
		return --this.count == 0;
	}

	/**
	 * A lost lease is not released yet, because outer code of the thread still works
	 * under the lock and needs time to stop.
	 */
	void markLossReported() {
		this.lossReported = true;
	}

	boolean isLossReported() {
		return this.lossReported;
	}

	LockLostException loss() {
		LossReason reason = this.lease.lost().toCompletableFuture().getNow(LossReason.EXPIRED);
		return new LockLostException(this.lease.resources(), reason);
	}

	static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	private Duration ttl(@Nullable Duration newTtl) {
		return (newTtl != null) ? newTtl : this.ttl;
	}

}

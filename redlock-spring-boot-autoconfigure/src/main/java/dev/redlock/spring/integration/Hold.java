package dev.redlock.spring.integration;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * What one thread holds of one lock, and how often. Only that thread touches it.
 */
final class Hold {

	private final Lease lease;

	private final Duration ttl;

	private int count = 1;

	private boolean forsaken;

	Hold(Lease lease, Duration ttl) {
		this.lease = lease;
		this.ttl = ttl;
	}

	Lease lease() {
		return this.lease;
	}

	/**
	 * Asks the nodes to keep the lease for another ttl.
	 * @param longer the ttl, null for the one it was acquired with
	 */
	boolean extend(@Nullable Duration longer) {
		return isValid() && this.lease.extend((longer != null) ? longer : this.ttl);
	}

	boolean isValid() {
		return this.lease.isValid();
	}

	Duration remaining() {
		return this.lease.remaining();
	}

	void enter() {
		this.count++;
	}

	/**
	 * The thread leaves once more.
	 * @return whether it has left as often as it entered
	 */
	boolean leave() {
		return --this.count == 0;
	}

	/**
	 * Gives the lease up: the thread has been told that it is lost. The hold stays for
	 * those who are still inside and have not been told.
	 */
	void forsake() {
		this.forsaken = true;
		this.lease.close();
	}

	/**
	 * Whether the thread has been told of the loss, so that it may acquire anew.
	 */
	boolean isForsaken() {
		return this.forsaken;
	}

	/**
	 * Waits until the lease is lost, but not for long.
	 */
	void awaitLoss(Duration longest) throws InterruptedException {
		try {
			this.lease.lost().toCompletableFuture().get(longest.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			// Not lost so far, and that is all there is to know.
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The loss of a lease has no failure of its own", ex.getCause());
		}
	}

	LockLostException loss() {
		LossReason reason = this.lease.lost().toCompletableFuture().getNow(LossReason.EXPIRED);
		return new LockLostException(this.lease.resources(), reason);
	}

}

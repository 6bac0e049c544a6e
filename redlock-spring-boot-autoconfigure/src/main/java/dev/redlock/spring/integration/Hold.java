package dev.redlock.spring.integration;

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
		return this.lease.extend(ttl(longer));
	}

	/**
	 * Like {@link #extend}, and waits for the answer so long only.
	 */
	boolean extend(@Nullable Duration longer, Duration longest) throws InterruptedException {
		return Boolean.TRUE.equals(await(this.lease.extendAsync(ttl(longer)), longest));
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
	 * those who are still inside and have not been told. They need time to stop, so what
	 * is valid is not released; it ends with its ttl, and nobody renews it.
	 */
	void forsake() {
		this.forsaken = true;
		try {
			this.lease.handOver();
		}
		catch (IllegalStateException | UnsupportedOperationException ex) {
			// Not valid any more, or not ours to give up.
			this.lease.close();
		}
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
		await(this.lease.lost(), longest);
	}

	LockLostException loss() {
		LossReason reason = this.lease.lost().toCompletableFuture().getNow(LossReason.EXPIRED);
		return new LockLostException(this.lease.resources(), reason);
	}

	private Duration ttl(@Nullable Duration longer) {
		return (longer != null) ? longer : this.ttl;
	}

	private static <T> @Nullable T await(CompletionStage<T> stage, Duration longest) throws InterruptedException {
		try {
			return stage.toCompletableFuture().get(longest.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			return null;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A stage of a lease failed, which must not happen", ex.getCause());
		}
	}

}

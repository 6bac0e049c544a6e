package dev.redlock.it;

import java.time.Duration;
import java.util.concurrent.Callable;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;

/**
 * A client of ours that wants a lock again as soon as it has released it, and increments
 * a counter while it holds it.
 */
final class Competitor implements Callable<LockShare> {

	private final String name;

	private final Redlock redlock;

	private final LockRequest request;

	private final SharedCounter counter;

	private final Duration hold;

	private volatile int locks;

	private volatile boolean stopped;

	Competitor(String name, Redlock redlock, LockRequest request, SharedCounter counter, Duration hold) {
		this.name = name;
		this.redlock = redlock;
		this.request = request;
		this.counter = counter;
		this.hold = hold;
	}

	@Override
	public LockShare call() {
		int count = 0;
		long longestNanos = 0;
		while (!this.stopped) {
			long asked = System.nanoTime();
			Lease lease = this.redlock.attemptAndWait(this.request).orThrow();
			longestNanos = Math.max(longestNanos, System.nanoTime() - asked);
			this.counter.increment(this.hold);
			this.locks = ++count;
			lease.close();
		}
		return new LockShare(this.name, count, Duration.ofNanos(longestNanos));
	}

	int locks() {
		return this.locks;
	}

	void stop() {
		this.stopped = true;
	}

}

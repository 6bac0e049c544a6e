package dev.redlock;

import java.time.Duration;

import dev.redlock.memory.ManualTime;

/**
 * One thread of a process that locks, works and unlocks, again and again without a gap.
 */
final class Asker {

	/** How often it got the lock. */
	int locks;

	/** How often it was told that it cannot have the lock. */
	int refusals;

	private final Redlock process;

	private final LockRequest request;

	private final ManualTime time;

	private final Duration hold;

	private long askedNanos;

	private long longestWaitNanos;

	private boolean waiting;

	private boolean stopped;

	Asker(Redlock process, ManualTime time, Duration hold, LockRequest request) {
		this.process = process;
		this.request = request.withWaitFor(Duration.ofSeconds(30));
		this.time = time;
		this.hold = hold;
	}

	Asker start() {
		this.waiting = true;
		this.askedNanos = this.time.nanoTime();
		this.process.attempt(this.request).thenAccept(this::answered);
		return this;
	}

	/**
	 * Asks no more once it has released.
	 */
	void stop() {
		this.stopped = true;
	}

	/**
	 * The longest time from a request to its lock, the wait that is not over included.
	 */
	Duration longestWait() {
		long current = this.waiting ? this.time.nanoTime() - this.askedNanos : 0;
		return Duration.ofNanos(Math.max(this.longestWaitNanos, current));
	}

	/**
	 * Counts from now on.
	 */
	void forgetTheWaits() {
		this.longestWaitNanos = 0;
		this.locks = 0;
	}

	private void answered(LockAttempt attempt) {
		this.longestWaitNanos = longestWait().toNanos();
		this.waiting = false;
		attempt.lease().ifPresentOrElse((lease) -> {
			this.locks++;
			this.time.schedule(this.hold, () -> {
				lease.close();
				again();
			});
		}, () -> {
			this.refusals++;
			again();
		});
	}

	private void again() {
		if (!this.stopped) {
			start();
		}
	}

}

package dev.redlock.sample.demo;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The threads of the buyers of one sale.
 *
 * @param pace stops the buyers
 * @param threads the thread of each buyer
 */
record Crowd(Pace pace, List<Thread> threads) {

	static Crowd nobody() {
		return new Crowd(new Pace(Duration.ZERO, new AtomicBoolean(), () -> Protection.NONE), List.of());
	}

	boolean isThere() {
		return this.threads.stream().anyMatch(Thread::isAlive);
	}

	/**
	 * Interrupts buyers that think or wait for the lock, and waits until all have ended.
	 */
	void sendAway(Duration within) {
		this.pace.stop();
		this.threads.forEach(Thread::interrupt);
		long end = System.nanoTime() + within.toNanos();
		try {
			for (Thread thread : this.threads) {
				thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}

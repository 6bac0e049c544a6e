package dev.redlock.benchmarks.scenario;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.redlock.benchmarks.contender.Contender;

/**
 * How one thread that locks all the time fares when a server fails.
 *
 * @param before locks per second before the fault
 * @param after locks per second after it, without the longest gap
 * @param gapMicros the longest time between two locks
 * @param failures how many tries ended without a lock
 * @param ended whether locks were to be had again
 */
record Outage(double before, double after, double gapMicros, long failures, boolean ended) {

	private static final long BEFORE_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final long AFTER_NANOS = TimeUnit.SECONDS.toNanos(4);

	private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);

	private static final long PAUSE_AFTER_FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private static final double NANOS = 1e9;

	/**
	 * Locks for a second, lets a server fail, and goes on until locks are to be had again
	 * for the rest of at least four seconds.
	 */
	static Outage of(Contender contender, String name, Runnable fault) {
		Watch watch = new Watch();
		long start = System.nanoTime();
		while (System.nanoTime() - start < BEFORE_NANOS) {
			watch.lockOnce(contender, name);
		}
		double before = watch.locks * NANOS / (System.nanoTime() - start);
		watch.reset();
		fault.run();
		long failed = watch.lastNanos;
		while (System.nanoTime() - failed < LONGEST_NANOS && !watch.isOver(failed)) {
			watch.lockOnce(contender, name);
		}
		watch.closeGap();
		double rest = System.nanoTime() - failed - watch.gapNanos;
		return new Outage(before, watch.locks * NANOS / rest, watch.gapNanos / 1e3, watch.failures, watch.locks > 0);
	}

	/**
	 * What the thread has seen since the last reset.
	 */
	private static final class Watch {

		private long locks;

		private long failures;

		private long gapNanos;

		private long lastNanos = System.nanoTime();

		void lockOnce(Contender contender, String name) {
			try {
				if (contender.withLock(name, this::underLock)) {
					return;
				}
			}
			catch (RuntimeException ex) {
				LockSupport.parkNanos(PAUSE_AFTER_FAILURE_NANOS);
			}
			this.failures++;
		}

		void reset() {
			this.locks = 0;
			this.failures = 0;
			this.gapNanos = 0;
			this.lastNanos = System.nanoTime();
		}

		boolean isOver(long failed) {
			return this.locks > 0 && System.nanoTime() - failed > AFTER_NANOS + this.gapNanos;
		}

		void closeGap() {
			this.gapNanos = Math.max(this.gapNanos, System.nanoTime() - this.lastNanos);
		}

		private void underLock() {
			closeGap();
			this.lastNanos = System.nanoTime();
			this.locks++;
		}

	}

}

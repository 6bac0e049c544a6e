package dev.redlock.lettuce;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The largest value that was recorded recently. A value counts until the end of the
 * window that follows its own window. One thread records, and any thread may read.
 */
final class RecentMaximum {

	private final long windowNanos;

	private final LongSupplier nanoTime;

	private volatile Windows windows;

	RecentMaximum(Duration window, LongSupplier nanoTime) {
		this.windowNanos = window.toNanos();
		this.nanoTime = nanoTime;
		this.windows = new Windows(nanoTime.getAsLong(), 0, 0);
	}

	void record(long value) {
		Windows now = now();
		if (value > now.current) {
			this.windows = new Windows(now.startNanos, value, now.former);
		}
	}

	/**
	 * Returns the largest value, 0 without a recent value.
	 */
	long get() {
		Windows now = now();
		return Math.max(now.current, now.former);
	}

	private Windows now() {
		Windows last = this.windows;
		long passed = (this.nanoTime.getAsLong() - last.startNanos) / this.windowNanos;
		return (passed == 0) ? last
				: new Windows(last.startNanos + passed * this.windowNanos, 0, (passed == 1) ? last.current : 0);
	}

	/**
	 * The largest values of the current window and of the previous window.
	 */
	private record Windows(long startNanos, long current, long former) {

	}

}

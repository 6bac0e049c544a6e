package dev.redlock.benchmarks;

import java.util.Arrays;

/**
 * The latencies of one round, in nanoseconds.
 */
final class Latencies {

	private final long[] sorted;

	private Latencies(long[] sorted) {
		this.sorted = sorted;
	}

	/**
	 * Times a piece of work again and again.
	 */
	static Latencies of(int times, Runnable work) {
		long[] nanos = new long[times];
		for (int i = 0; i < times; i++) {
			long start = System.nanoTime();
			work.run();
			nanos[i] = System.nanoTime() - start;
		}
		Arrays.sort(nanos);
		return new Latencies(nanos);
	}

	double micros(double quantile) {
		return this.sorted[(int) Math.min(this.sorted.length - 1, quantile * this.sorted.length)] / 1_000.0;
	}

	static double median(double[] values) {
		double[] copy = values.clone();
		Arrays.sort(copy);
		return copy[copy.length / 2];
	}

}

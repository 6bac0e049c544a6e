package dev.redlock.benchmarks.measure;

import java.util.StringJoiner;

/**
 * A histogram of waits. Each bucket is less than one percent wide, the largest wait is
 * kept exactly. Not thread-safe: each thread fills its own, and they are added up.
 */
public final class Waits {

	private static final int SUB_BITS = 7;

	private static final int SUB_BUCKETS = 1 << SUB_BITS;

	private final long[] counts = new long[bucket(Long.MAX_VALUE) + 1];

	private long total;

	private long maxNanos;

	/**
	 * Creates an empty histogram.
	 */
	public Waits() {
	}

	/**
	 * Notes one wait.
	 * @param nanos how long it was
	 */
	public void record(long nanos) {
		this.counts[bucket(nanos)]++;
		this.total++;
		this.maxNanos = Math.max(this.maxNanos, nanos);
	}

	/**
	 * Adds those of another one.
	 * @param other the other histogram
	 */
	public void add(Waits other) {
		for (int i = 0; i < this.counts.length; i++) {
			this.counts[i] += other.counts[i];
		}
		this.total += other.total;
		this.maxNanos = Math.max(this.maxNanos, other.maxNanos);
	}

	/**
	 * How long the shortest waits of a share lasted at most.
	 * @param quantile the share, from 0 to 1
	 * @return microseconds, not a number if there are none
	 */
	public double micros(double quantile) {
		if (this.total == 0) {
			return Double.NaN;
		}
		long rank = Math.max(1, (long) Math.ceil(quantile * this.total));
		long seen = 0;
		for (int i = 0; i < this.counts.length; i++) {
			seen += this.counts[i];
			if (seen >= rank) {
				return Math.min(upperEnd(i), this.maxNanos) / 1_000.0;
			}
		}
		return this.maxNanos / 1_000.0;
	}

	/**
	 * Writes it into one word.
	 * @return the word
	 */
	String encode() {
		StringJoiner text = new StringJoiner(",");
		text.add(Long.toString(this.maxNanos));
		for (int i = 0; i < this.counts.length; i++) {
			if (this.counts[i] > 0) {
				text.add(i + ":" + this.counts[i]);
			}
		}
		return text.toString();
	}

	static Waits decode(String text) {
		Waits waits = new Waits();
		String[] parts = text.split(",");
		waits.maxNanos = Long.parseLong(parts[0]);
		for (int i = 1; i < parts.length; i++) {
			String[] bucket = parts[i].split(":");
			long count = Long.parseLong(bucket[1]);
			waits.counts[Integer.parseInt(bucket[0])] = count;
			waits.total += count;
		}
		return waits;
	}

	private static int bucket(long nanos) {
		int shift = Math.max(0, Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos | 1) - SUB_BITS);
		return (shift << SUB_BITS) + (int) (nanos >> shift);
	}

	private static long upperEnd(int bucket) {
		if (bucket < 2 * SUB_BUCKETS) {
			return bucket;
		}
		int shift = (bucket >> SUB_BITS) - 1;
		return ((bucket - ((long) shift << SUB_BITS) + 1) << shift) - 1;
	}

}

package dev.redlock.benchmarks.measure;

import java.util.Arrays;

/**
 * Small statistics.
 */
public final class Stats {

	private Stats() {
	}

	/**
	 * The median; the mean of the two in the middle where there is no single one.
	 * @param values the values
	 * @return not a number if there are none
	 */
	public static double median(double... values) {
		if (values.length == 0) {
			return Double.NaN;
		}
		double[] sorted = sorted(values);
		int middle = sorted.length / 2;
		return (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	}

	/**
	 * The smallest value.
	 * @param values the values
	 * @return not a number if there are none
	 */
	public static double min(double... values) {
		return (values.length > 0) ? sorted(values)[0] : Double.NaN;
	}

	/**
	 * The largest value.
	 * @param values the values
	 * @return not a number if there are none
	 */
	public static double max(double... values) {
		return (values.length > 0) ? sorted(values)[values.length - 1] : Double.NaN;
	}

	/**
	 * Each value over the one at the same place.
	 * @param values the values
	 * @param base what they are divided by
	 * @return as many as there are in the shorter of the two
	 */
	public static double[] ratios(double[] values, double[] base) {
		double[] ratios = new double[Math.min(values.length, base.length)];
		for (int i = 0; i < ratios.length; i++) {
			ratios[i] = values[i] / base[i];
		}
		return ratios;
	}

	private static double[] sorted(double[] values) {
		double[] sorted = values.clone();
		Arrays.sort(sorted);
		return sorted;
	}

}

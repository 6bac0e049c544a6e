package dev.redlock.benchmarks.report;

import java.util.Locale;

/**
 * Numbers for people.
 */
public final class Format {

	private static final String NOTHING = "–";

	private Format() {
	}

	/**
	 * A rate or a count.
	 * @param value the number
	 * @return with decimals only where they say something
	 */
	public static String number(double value) {
		if (Double.isNaN(value) || Double.isInfinite(value)) {
			return NOTHING;
		}
		if (value >= 100) {
			return String.format(Locale.ROOT, "%,.0f", value);
		}
		return String.format(Locale.ROOT, (value >= 10) ? "%.1f" : "%.2f", value);
	}

	/**
	 * A ratio.
	 * @param value the number
	 * @return with two decimals
	 */
	public static String ratio(double value) {
		return (Double.isNaN(value) || Double.isInfinite(value)) ? NOTHING : String.format(Locale.ROOT, "%.2f", value);
	}

	/**
	 * A time.
	 * @param micros microseconds
	 * @return in the unit that suits
	 */
	public static String micros(double micros) {
		if (Double.isNaN(micros)) {
			return NOTHING;
		}
		if (micros < 1_000) {
			return String.format(Locale.ROOT, "%.0f µs", micros);
		}
		if (micros < 10_000) {
			return String.format(Locale.ROOT, "%.2f ms", micros / 1e3);
		}
		if (micros < 1_000_000) {
			return String.format(Locale.ROOT, "%.1f ms", micros / 1e3);
		}
		return String.format(Locale.ROOT, "%.1f s", micros / 1e6);
	}

}

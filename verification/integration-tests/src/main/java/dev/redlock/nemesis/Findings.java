package dev.redlock.nemesis;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * What the checker found in a history.
 *
 * @param faults how many faults of each kind there were
 * @param attempts how often a lock was asked for
 * @param acquisitions how often it was acquired
 * @param waits how long it took to get a lock that was acquired
 * @param overlaps how often a lock was acquired while another client still believed to
 * hold it
 * @param overlapsFromTheCall the same, for clients that count their ttl from before the
 * call whatever they are told
 * @param orderViolations fences that are not above those of all leases that were handed
 * out before they were asked for
 * @param duplicates fences that came twice
 * @param lostChecked updates lost by the resource that checks the fence
 * @param lostUnchecked updates lost by the resource that does not
 * @param refused claims and writes that the fence refused
 * @param lossesNotTold holders that did not release and never heard that their lock had
 * ended
 * @param orphans keys that were left when everybody had released and all was healed
 * @param notGranted names that nobody got after all was healed
 * @param examples of what is wrong, the first few
 */
public record Findings(Map<Fault, Integer> faults, int attempts, int acquisitions, Waits waits, int overlaps,
		int overlapsFromTheCall, int orderViolations, int duplicates, int lostChecked, int lostUnchecked, int refused,
		int lossesNotTold, int orphans, Set<String> notGranted, List<String> examples) {

	/**
	 * Whether everything was kept that a lock with fences promises.
	 * @return true if nothing is wrong
	 */
	public boolean isClean() {
		return this.overlaps == 0 && this.orderViolations == 0 && this.duplicates == 0 && this.lostChecked == 0
				&& this.lossesNotTold == 0 && this.orphans == 0 && this.notGranted.isEmpty();
	}

	/**
	 * A table for people.
	 */
	@Override
	public String toString() {
		StringBuilder table = new StringBuilder();
		int total = this.faults.values().stream().mapToInt(Integer::intValue).sum();
		row(table, "faults", total);
		this.faults.forEach((fault, count) -> row(table, "  " + fault.name().toLowerCase(Locale.ROOT), count));
		row(table, "attempts", this.attempts);
		row(table, "acquisitions", this.acquisitions);
		row(table, "milliseconds until acquired, median", this.waits.medianMillis());
		row(table, "milliseconds until acquired, 99 %", this.waits.mostMillis());
		row(table, "milliseconds until acquired, longest", this.waits.longestMillis());
		row(table, "overlaps", this.overlaps);
		row(table, "overlaps, ttl counted from the call", this.overlapsFromTheCall);
		row(table, "fence order violations", this.orderViolations);
		row(table, "fence duplicates", this.duplicates);
		row(table, "lost updates, fence checked", this.lostChecked);
		row(table, "lost updates, fence not checked", this.lostUnchecked);
		row(table, "claims and writes refused by the fence", this.refused);
		row(table, "losses not told", this.lossesNotTold);
		row(table, "orphans", this.orphans);
		row(table, "names not granted after healing", this.notGranted.size());
		this.examples.forEach((example) -> table.append(example).append('\n'));
		return table.toString();
	}

	/**
	 * How long clients waited.
	 *
	 * @param medianMillis so long or shorter in half of all cases
	 * @param mostMillis so long or shorter in 99 of 100 cases
	 * @param longestMillis the longest
	 */
	public record Waits(int medianMillis, int mostMillis, int longestMillis) {

		static Waits of(LongStream nanos) {
			long[] sorted = nanos.sorted().toArray();
			return new Waits(millis(sorted, 50), millis(sorted, 99), millis(sorted, 100));
		}

		private static int millis(long[] sorted, int percent) {
			return (sorted.length == 0) ? 0
					: (int) TimeUnit.NANOSECONDS.toMillis(sorted[(sorted.length * percent + 99) / 100 - 1]);
		}

	}

	private static void row(StringBuilder table, String name, int value) {
		table.append(String.format(Locale.ROOT, "%-40s %8d%n", name, value));
	}

}

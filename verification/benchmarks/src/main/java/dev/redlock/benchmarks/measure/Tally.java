package dev.redlock.benchmarks.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What the threads of a process did in one round.
 *
 * @param locks how many locks each thread had
 * @param failures how many tries ended without a lock
 * @param nanos how long the round took, from its start to the end of its last lock
 * @param waits how long it took to get each lock
 * @param complaint the first exception, empty if there was none
 */
public record Tally(List<Long> locks, long failures, long nanos, Waits waits, String complaint) {

	private static final String SEPARATOR = " ";

	/**
	 * Keeps what it is given.
	 */
	public Tally {
		locks = List.copyOf(locks);
	}

	/**
	 * Those of several processes that worked at the same time.
	 * @param tallies one for each process
	 * @return the sum
	 */
	public static Tally sum(List<Tally> tallies) {
		List<Long> locks = new ArrayList<>();
		Waits waits = new Waits();
		long failures = 0;
		long nanos = 0;
		String complaint = "";
		for (Tally tally : tallies) {
			locks.addAll(tally.locks);
			waits.add(tally.waits);
			failures += tally.failures;
			nanos = Math.max(nanos, tally.nanos);
			complaint = complaint.isEmpty() ? tally.complaint : complaint;
		}
		return new Tally(locks, failures, nanos, waits, complaint);
	}

	/**
	 * Reads what {@link #encode()} wrote.
	 * @param line the line
	 * @return the tally
	 */
	public static Tally decode(String line) {
		String[] words = line.split(SEPARATOR, 5);
		return new Tally(Arrays.stream(words[0].split(",")).map(Long::valueOf).toList(), Long.parseLong(words[1]),
				Long.parseLong(words[2]), Waits.decode(words[3]), words[4]);
	}

	/**
	 * Writes it into one line.
	 * @return the line
	 */
	public String encode() {
		return String.join(SEPARATOR, this.locks.stream().map(String::valueOf).collect(Collectors.joining(",")),
				Long.toString(this.failures), Long.toString(this.nanos), this.waits.encode(),
				this.complaint.replaceAll("\\s+", " "));
	}

	/**
	 * All locks of all threads.
	 * @return the number
	 */
	public long total() {
		return this.locks.stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * The rate.
	 * @return locks per second
	 */
	public double perSecond() {
		return total() * 1e9 / this.nanos;
	}

	/**
	 * What the worst thread had of what would have been fair.
	 * @return 1 if all had the same
	 */
	public double smallestShare() {
		long smallest = this.locks.stream().mapToLong(Long::longValue).min().orElse(0);
		return smallest * (double) this.locks.size() / Math.max(1, total());
	}

}

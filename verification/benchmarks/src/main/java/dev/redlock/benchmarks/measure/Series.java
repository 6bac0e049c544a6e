package dev.redlock.benchmarks.measure;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * All rounds of a lane.
 *
 * @param label the name of the lane
 * @param rounds its rounds, in their order
 */
public record Series(String label, List<Round> rounds) {

	/**
	 * Keeps what it is given.
	 */
	public Series {
		rounds = List.copyOf(rounds);
	}

	/**
	 * A number of each round.
	 * @param number the number of a round
	 * @return the numbers, in the order of the rounds
	 */
	public double[] each(ToDoubleFunction<Round> number) {
		return this.rounds.stream().mapToDouble(number).toArray();
	}

	/**
	 * The median of a number.
	 * @param number the number of a round
	 * @return its median over the rounds
	 */
	public double median(ToDoubleFunction<Round> number) {
		return Stats.median(each(number));
	}

	/**
	 * The rate of each round over that of another lane in the same round.
	 * @param base the other lane
	 * @return the ratios, in the order of the rounds
	 */
	public double[] ratiosTo(Series base) {
		return Stats.ratios(each((round) -> round.tally().perSecond()),
				base.each((round) -> round.tally().perSecond()));
	}

	/**
	 * All failures.
	 * @return how many tries ended without a lock
	 */
	public long failures() {
		return this.rounds.stream().mapToLong((round) -> round.tally().failures()).sum();
	}

	/**
	 * Whether the counter under the lock was right in all rounds.
	 * @return false if an increment was lost
	 */
	public boolean exact() {
		return this.rounds.stream().allMatch(Round::exact);
	}

	/**
	 * What went wrong first.
	 * @return the exception as text, empty if there was none
	 */
	public String complaint() {
		return this.rounds.stream()
			.map((round) -> round.tally().complaint())
			.filter((text) -> !text.isEmpty())
			.findFirst()
			.orElse("");
	}

}

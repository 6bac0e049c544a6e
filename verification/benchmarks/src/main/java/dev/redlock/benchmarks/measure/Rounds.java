package dev.redlock.benchmarks.measure;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * How lanes are measured: each is warmed up, then each has its turn in every round, and
 * every round begins with another one. A lane in which a single lock takes seconds has
 * its turn in two rounds only.
 *
 * @param count how many rounds
 * @param millis how long a turn is
 * @param warmUpMillis how long each lane is warmed up
 */
public record Rounds(int count, long millis, long warmUpMillis) {

	private static final long SLOW_MILLIS = 2_500;

	private static final int ROUNDS_OF_SLOW_LANES = 2;

	private static final int ROUNDS_IF_BRIEF = 3;

	/**
	 * Longer or shorter turns.
	 * @param factor by how much
	 * @return the rounds
	 */
	public Rounds times(double factor) {
		return new Rounds(this.count, (long) (this.millis * factor), this.warmUpMillis);
	}

	/**
	 * Fewer rounds and half the warm-up, where there are many lanes and other scenarios
	 * have warmed up the code before.
	 * @return the rounds
	 */
	public Rounds brief() {
		return new Rounds(Math.min(ROUNDS_IF_BRIEF, this.count), this.millis, this.warmUpMillis / 2);
	}

	/**
	 * Measures.
	 * @param lanes what is measured
	 * @return the rounds of each lane by its label, in the order of the lanes
	 */
	public Map<String, Series> measure(List<Lane> lanes) {
		Map<String, List<Round>> rounds = new LinkedHashMap<>();
		Set<Lane> slow = new HashSet<>();
		for (Lane lane : lanes) {
			rounds.put(lane.label(), new ArrayList<>());
			long start = System.nanoTime();
			lane.measurement().apply(this.warmUpMillis);
			if (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) > this.warmUpMillis + SLOW_MILLIS) {
				slow.add(lane);
			}
		}
		for (int round = 0; round < this.count; round++) {
			for (int turn = 0; turn < lanes.size(); turn++) {
				Lane lane = lanes.get((round + turn) % lanes.size());
				if (round < ROUNDS_OF_SLOW_LANES || !slow.contains(lane)) {
					rounds.computeIfAbsent(lane.label(), (label) -> new ArrayList<>())
						.add(lane.measurement().apply(this.millis));
				}
			}
		}
		Map<String, Series> series = new LinkedHashMap<>();
		rounds.forEach((label, list) -> series.put(label, new Series(label, list)));
		return series;
	}

}

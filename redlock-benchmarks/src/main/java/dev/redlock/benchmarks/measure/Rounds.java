package dev.redlock.benchmarks.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How lanes are measured: each is warmed up, then each has its turn in every round, and
 * every round begins with another one.
 *
 * @param count how many rounds
 * @param millis how long a turn is
 * @param warmUpMillis how long each lane is warmed up
 */
public record Rounds(int count, long millis, long warmUpMillis) {

	/**
	 * Longer or shorter turns.
	 * @param factor by how much
	 * @return the rounds
	 */
	public Rounds times(double factor) {
		return new Rounds(this.count, (long) (this.millis * factor), this.warmUpMillis);
	}

	/**
	 * Fewer rounds, if there are more.
	 * @param most how many at most
	 * @return the rounds
	 */
	public Rounds atMost(int most) {
		return new Rounds(Math.min(most, this.count), this.millis, this.warmUpMillis);
	}

	/**
	 * Measures.
	 * @param lanes what is measured
	 * @return the rounds of each lane by its label, in the order of the lanes
	 */
	public Map<String, Series> measure(List<Lane> lanes) {
		Map<String, List<Round>> rounds = new LinkedHashMap<>();
		for (Lane lane : lanes) {
			rounds.put(lane.label(), new ArrayList<>());
			lane.measurement().apply(this.warmUpMillis);
		}
		for (int round = 0; round < this.count; round++) {
			for (int turn = 0; turn < lanes.size(); turn++) {
				Lane lane = lanes.get((round + turn) % lanes.size());
				rounds.computeIfAbsent(lane.label(), (label) -> new ArrayList<>())
					.add(lane.measurement().apply(this.millis));
			}
		}
		Map<String, Series> series = new LinkedHashMap<>();
		rounds.forEach((label, list) -> series.put(label, new Series(label, list)));
		return series;
	}

}

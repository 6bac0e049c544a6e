package dev.redlock.lettuce;

import java.util.Map;
import java.util.TreeMap;

/**
 * How often a comparison took each transition of the models.
 */
public final class Transitions {

	private final Map<String, Integer> taken = new TreeMap<>();

	private final Map<String, Integer> refused = new TreeMap<>();

	/**
	 * Both sides took a transition.
	 */
	public void took(String transition) {
		this.taken.merge(transition, 1, Integer::sum);
	}

	/**
	 * Both sides refused to take a transition.
	 */
	public void refused(String transition) {
		this.refused.merge(transition, 1, Integer::sum);
	}

	int taken(String transition) {
		return this.taken.getOrDefault(transition, 0);
	}

	int refusals(String transition) {
		return this.refused.getOrDefault(transition, 0);
	}

}

package dev.redlock.nemesis;

import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

import dev.redlock.test.RedisNode;

/**
 * Makes the clocks of servers step.
 */
final class ServerClocks {

	/**
	 * By how much clocks step: more than an answer can hide within the timeout of a node,
	 * and less than keeps a node from voting on fences.
	 */
	private static final Duration STEP = Duration.ofMillis(800);

	private static final int SMALL_STEPS = 10;

	private static final int LEAST_SMALL_STEP_MILLIS = 30;

	private static final int LARGEST_SMALL_STEP_MILLIS = 60;

	/**
	 * Longer than counters are kept.
	 */
	private static final Duration FAR_AHEAD = Duration.ofDays(8);

	/**
	 * So many clocks may be wrong at a time: M assumes that the steps are not of so many
	 * that a majority breaks.
	 */
	private static final int MOST_STEPPED = NemesisSettings.SERVERS / 2;

	private final Cluster cluster;

	private final Random random;

	/**
	 * The servers whose clocks are wrong. A clock steps once in the life of a server, or
	 * often in one direction: a client that was cut off meanwhile could not tell two
	 * opposite steps from none. A clock that is days ahead and then right again is the
	 * exception, since that takes away the marker of the server.
	 */
	private final Set<RedisNode> stepped = new HashSet<>();

	ServerClocks(Cluster cluster, Random random) {
		this.cluster = cluster;
		this.random = random;
	}

	/**
	 * Whether a fault may happen to the clock of a server. One that is right again at
	 * once counts as a server that forgets, and not among those that are wrong for long.
	 */
	boolean allow(Fault fault, RedisNode server) {
		if (!fault.steps()) {
			return true;
		}
		boolean few = this.stepped.size() < MOST_STEPPED || fault == Fault.CLOCK_FAR_AHEAD;
		return few && !this.stepped.contains(server);
	}

	void step(Fault fault, RedisNode server) {
		switch (fault) {
			case CLOCK_FORWARD -> set(server, STEP);
			case CLOCK_BACK -> set(server, STEP.negated());
			case SMALL_STEPS -> stepOften(server);
			case CLOCK_FAR_AHEAD -> leap(server);
			default -> throw new IllegalStateException(fault + " does not happen to clocks");
		}
	}

	void setRight(RedisNode server) {
		this.cluster.setClock(server.name(), Duration.ZERO);
		this.stepped.remove(server);
	}

	private void set(RedisNode server, Duration ahead) {
		this.stepped.add(server);
		this.cluster.setClock(server.name(), ahead);
	}

	private void stepOften(RedisNode server) {
		long aheadMillis = 0;
		for (int i = 0; i < SMALL_STEPS; i++) {
			aheadMillis += this.random.nextInt(LEAST_SMALL_STEP_MILLIS, LARGEST_SMALL_STEP_MILLIS + 1);
			set(server, Duration.ofMillis(aheadMillis));
			Nemesis.pause(this.random, 20, 150);
		}
	}

	/**
	 * For as long as a server takes to delete what expires, which it does ten times a
	 * second.
	 */
	private void leap(RedisNode server) {
		this.cluster.setClock(server.name(), FAR_AHEAD);
		Nemesis.pause(this.random, 200, 300);
		this.cluster.setClock(server.name(), Duration.ZERO);
	}

}

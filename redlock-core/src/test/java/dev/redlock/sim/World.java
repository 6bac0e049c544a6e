package dev.redlock.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Simulated time and everything that happens in it, on one thread, from one seed.
 */
final class World {

	final SplittableRandom random;

	private final PriorityQueue<Event> events = new PriorityQueue<>();

	private final boolean tracing;

	private final List<String> trace = new ArrayList<>();

	private final List<String> violations = new ArrayList<>();

	private long nowNanos;

	private long scheduled;

	private long happened;

	private long hash = 17;

	World(long seed, boolean tracing) {
		this.random = new SplittableRandom(seed);
		this.tracing = tracing;
	}

	long nowNanos() {
		return this.nowNanos;
	}

	/**
	 * Lets something happen later.
	 */
	void after(long delayNanos, Runnable work) {
		this.events.add(new Event(this.nowNanos + Math.max(0, delayNanos), this.scheduled++, work));
	}

	/**
	 * Runs until a point in time, or until nothing is left to happen.
	 */
	void runUntil(long untilNanos) {
		while (!this.events.isEmpty() && this.events.peek().atNanos <= untilNanos) {
			Event event = this.events.remove();
			this.nowNanos = event.atNanos;
			this.happened++;
			event.work.run();
		}
		this.nowNanos = Math.max(this.nowNanos, untilNanos);
	}

	/**
	 * Notes what happened: it becomes part of the hash, and of the trace if there is one.
	 */
	void note(String who, String what, long value) {
		this.hash = this.hash * 31 + who.hashCode();
		this.hash = this.hash * 31 + what.hashCode();
		this.hash = this.hash * 31 + value + this.nowNanos;
		if (this.tracing) {
			this.trace.add(String.format("%12.3f ms  %-4s %s %s", this.nowNanos / 1e6, who, what,
					(value != 0) ? Long.toString(value) : ""));
		}
	}

	/**
	 * Notes that a promise was broken.
	 */
	void violated(String invariant, String how) {
		this.violations.add(invariant);
		note("!!!!", invariant + ": " + how, 0);
	}

	List<String> violations() {
		return this.violations;
	}

	List<String> trace() {
		return this.trace;
	}

	long happened() {
		return this.happened;
	}

	long hash() {
		return this.hash;
	}

	/**
	 * A random number of nanoseconds between two numbers of microseconds.
	 */
	long micros(long from, long to) {
		return 1_000 * this.random.nextLong(from, to + 1);
	}

	boolean chance(double probability) {
		return probability > 0 && this.random.nextDouble() < probability;
	}

	/** Compared by hand, because a run does nothing else as often. */
	private record Event(long atNanos, long number, Runnable work) implements Comparable<Event> {

		@Override
		public int compareTo(Event other) {
			int order = Long.compare(this.atNanos, other.atNanos);
			return (order != 0) ? order : Long.compare(this.number, other.number);
		}

	}

}

package dev.redlock.nemesis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import dev.redlock.nemesis.Event.Kind;

/**
 * An addition to the number that a lock protects: a client read the number and later
 * wrote a new one.
 *
 * @param attempt under which it did so
 * @param begunNanos before it read
 * @param endedNanos after it wrote
 * @param read what it read
 * @param written what it wrote
 */
record Addition(String attempt, long begunNanos, long endedNanos, long read, long written) {

	/**
	 * The additions to one kind of number, by the name of the lock.
	 */
	static Map<String, List<Addition>> of(List<Event> events, Kind kind) {
		Map<String, Event> begun = new HashMap<>();
		Map<String, List<Addition>> byName = new TreeMap<>();
		for (Event event : events) {
			if (event.kind() == Kind.ADD) {
				begun.put(event.attempt(), event);
			}
			else if (event.kind() == kind) {
				Event add = Objects.requireNonNull(begun.get(event.attempt()), event::line);
				byName.computeIfAbsent(event.subject(), (name) -> new ArrayList<>())
					.add(new Addition(event.attempt(), add.nanos(), event.nanos(), event.first(), event.second()));
			}
		}
		return byName;
	}

	/**
	 * Returns the additions that were not carried out one after the other. The result is
	 * empty if and only if the additions can be put in an order in which each one reads
	 * what the one before it wrote, and takes effect between its begin and its end.
	 */
	static List<Addition> notInOrder(List<Addition> additions) {
		List<Addition> byRead = new ArrayList<>(additions);
		byRead.sort(Comparator.comparingLong(Addition::read).thenComparingLong(Addition::endedNanos));
		List<Addition> wrong = new ArrayList<>();
		long there = 0;
		for (Addition addition : byRead) {
			if (addition.read != there) {
				wrong.add(addition);
			}
			there = addition.written;
		}
		// Backwards: each began before all that found a higher number had ended.
		long firstEnd = Long.MAX_VALUE;
		for (int i = byRead.size() - 1; i >= 0; i--) {
			if (byRead.get(i).begunNanos > firstEnd) {
				wrong.add(byRead.get(i));
			}
			firstEnd = Math.min(firstEnd, byRead.get(i).endedNanos);
		}
		return wrong;
	}

}

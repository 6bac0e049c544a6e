package dev.redlock.nemesis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

import dev.redlock.nemesis.Event.Kind;
import dev.redlock.nemesis.Findings.Waits;

/**
 * Goes over a recorded history. It knows nothing but what was written down.
 */
final class Checker {

	private static final int MOST_EXAMPLES = 5;

	private static final Duration TOLD_WITHIN = Duration.ofSeconds(1);

	private final List<Event> events;

	private final int permits;

	private final List<Holding> holdings;

	private final List<String> examples = new ArrayList<>();

	private Checker(List<Event> events, int permits) {
		this.events = events;
		this.permits = permits;
		this.holdings = Holding.of(events);
	}

	/**
	 * Checks a history.
	 * @param events the events of all processes, in the order of their time
	 * @param names the names that must be granted again once all is healed
	 * @param permits how many holders a name may have at a time
	 */
	static Findings check(List<Event> events, Set<String> names, int permits) {
		Checker checker = new Checker(events, permits);
		return new Findings(checker.faults(), checker.count(Kind.TRY), checker.holdings.size(),
				Waits.of(checker.holdings.stream().mapToLong((holding) -> holding.wonNanos() - holding.triedNanos())),
				checker.overlaps("overlap", UnaryOperator.identity()),
				checker.overlaps("overlap, counted from the call", Holding::countedFromTheCall),
				checker.orderViolations(), checker.duplicates(), checker.lostUpdates(Kind.CHECKED),
				checker.lostUpdates(Kind.UNCHECKED), checker.count(Kind.REFUSED), checker.lossesNotTold(),
				checker.orphans(), checker.notGrantedAfterHealing(names), List.copyOf(checker.examples));
	}

	private Map<Fault, Integer> faults() {
		Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
		this.events.stream()
			.filter((event) -> event.kind() == Kind.FAULT)
			.forEach((event) -> faults.merge(Fault.valueOf(event.subject()), 1, Integer::sum));
		return faults;
	}

	private int count(Kind kind) {
		return (int) this.events.stream().filter((event) -> event.kind() == kind).count();
	}

	/**
	 * How many holdings began while as many others as there are permits were still
	 * believed in.
	 */
	private int overlaps(String what, UnaryOperator<Holding> belief) {
		Map<String, List<Holding>> earlier = new HashMap<>();
		int overlaps = 0;
		List<Holding> inOrder = this.holdings.stream()
			.map(belief)
			.sorted(Comparator.comparingLong(Holding::wonNanos))
			.toList();
		for (Holding holding : inOrder) {
			List<Holding> others = earlier.computeIfAbsent(holding.name(), (name) -> new ArrayList<>());
			others.removeIf((other) -> other.believedUntilNanos() <= holding.wonNanos());
			if (others.stream().filter(holding::overlaps).count() >= this.permits) {
				overlaps++;
				example(what, others, holding);
			}
			others.add(holding);
		}
		return overlaps;
	}

	/**
	 * How many holdings have a fence that is not above that of each one that was handed
	 * out before they were asked for.
	 */
	private int orderViolations() {
		int violations = 0;
		for (List<Holding> fenced : fencedByName().values()) {
			List<Holding> byWon = fenced.stream().sorted(Comparator.comparingLong(Holding::wonNanos)).toList();
			List<Holding> byTried = fenced.stream().sorted(Comparator.comparingLong(Holding::triedNanos)).toList();
			Holding highest = null;
			int next = 0;
			for (Holding holding : byTried) {
				for (; byWon.get(next).wonNanos() < holding.triedNanos(); next++) {
					Holding earlier = byWon.get(next);
					highest = (highest == null || earlier.fence() > highest.fence()) ? earlier : highest;
				}
				if (highest != null && highest.fence() >= holding.fence()) {
					violations++;
					example("order", highest, holding);
				}
			}
		}
		return violations;
	}

	private int duplicates() {
		int duplicates = 0;
		for (List<Holding> fenced : fencedByName().values()) {
			Map<Long, Holding> seen = new HashMap<>();
			for (Holding holding : fenced) {
				Holding same = seen.putIfAbsent(holding.fence(), holding);
				if (same != null) {
					duplicates++;
					example("duplicate", same, holding);
				}
			}
		}
		return duplicates;
	}

	/**
	 * How many additions did not build on what was there, and so undid another one.
	 */
	private int lostUpdates(Kind kind) {
		int lost = 0;
		for (List<Addition> additions : Addition.of(this.events, kind).values()) {
			List<Addition> wrong = Addition.notInOrder(additions);
			lost += wrong.size();
			if (kind == Kind.CHECKED) {
				wrong.forEach((addition) -> example("lost update", addition, additions.size()));
			}
		}
		return lost;
	}

	/**
	 * How many holders that never released were never told that their lock had ended,
	 * although their process lived on. Only a lock with fences is expected to tell.
	 */
	private int lossesNotTold() {
		Set<String> ended = new HashSet<>();
		Map<String, Long> lastLine = new HashMap<>();
		for (Event event : this.events) {
			lastLine.put(event.source(), event.nanos());
			if (event.kind() == Kind.LOST || event.kind() == Kind.RELEASE) {
				ended.add(event.attempt());
			}
		}
		int missing = 0;
		for (Event event : this.events) {
			if (event.kind() == Kind.WON && event.first() > 0 && !ended.contains(event.attempt())
					&& event.second() + TOLD_WITHIN.toNanos() < lastLine.getOrDefault(event.source(), 0L)) {
				missing++;
				example("loss not told", event.subject(), event.attempt());
			}
		}
		return missing;
	}

	private int orphans() {
		this.events.stream()
			.filter((event) -> event.kind() == Kind.ORPHAN)
			.forEach((event) -> example("orphan", event.subject(), event.attempt()));
		return count(Kind.ORPHAN);
	}

	private Set<String> notGrantedAfterHealing(Set<String> names) {
		Set<String> missing = new HashSet<>(names);
		boolean healed = false;
		for (Event event : this.events) {
			healed |= event.kind() == Kind.HEALED;
			if (healed && event.kind() == Kind.WON) {
				missing.remove(event.subject());
			}
		}
		return missing;
	}

	private Map<String, List<Holding>> fencedByName() {
		Map<String, List<Holding>> byName = new TreeMap<>();
		this.holdings.stream()
			.filter((holding) -> holding.fence() > 0)
			.forEach((holding) -> byName.computeIfAbsent(holding.name(), (name) -> new ArrayList<>()).add(holding));
		return byName;
	}

	private void example(String what, Object first, Object second) {
		if (this.examples.size() < MOST_EXAMPLES) {
			this.examples.add(what + ": " + first + " and " + second);
		}
	}

}

package dev.redlock.nemesis;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * One attempt that was won, as its client wrote it down.
 *
 * @param name the lock
 * @param attempt the attempt
 * @param triedNanos before it was asked for
 * @param ttlNanos the ttl that was asked for
 * @param wonNanos after it was granted
 * @param fence the fence, 0 if there is none
 * @param believedUntilNanos when the client's belief ended: with the validity that it
 * last wrote down, with the news of a loss, or with the beginning of the release. A
 * client that is stopped goes on believing until then, as its clock goes on
 */
record Holding(String name, String attempt, long triedNanos, long ttlNanos, long wonNanos, long fence,
		long believedUntilNanos) {

	/**
	 * The attempts that were won, in the order of their lines.
	 */
	static List<Holding> of(List<Event> events) {
		Map<String, Event> tried = new LinkedHashMap<>();
		Map<String, Holding> won = new LinkedHashMap<>();
		Set<String> ended = new HashSet<>();
		for (Event event : events) {
			switch (event.kind()) {
				case TRY -> tried.put(event.attempt(), event);
				case WON -> won.put(event.attempt(),
						won(Objects.requireNonNull(tried.get(event.attempt()), event::line), event));
				case RENEWED -> {
					// One that had ended by the time it was looked at says nothing.
					if (event.nanos() < event.second() && !ended.contains(event.attempt())) {
						won.computeIfPresent(event.attempt(),
								(attempt, holding) -> holding.believedUntil(event.second()));
					}
				}
				case LOST, RELEASE -> {
					ended.add(event.attempt());
					won.computeIfPresent(event.attempt(), (attempt, holding) -> holding.endingAt(event.nanos()));
				}
				default -> {
				}
			}
		}
		return new ArrayList<>(won.values());
	}

	/**
	 * The same with the belief of a client that counts its ttl from before it asked,
	 * whatever the lock said.
	 */
	Holding countedFromTheCall() {
		return endingAt(this.triedNanos + this.ttlNanos);
	}

	boolean overlaps(Holding other) {
		// A lease that had ended by the time a stopped client could look at it was never
		// believed in.
		return isBelieved() && other.isBelieved() && this.name.equals(other.name)
				&& this.wonNanos < other.believedUntilNanos && other.wonNanos < this.believedUntilNanos;
	}

	/**
	 * Whether its client could look before it had ended.
	 */
	boolean isBelieved() {
		return this.wonNanos < this.believedUntilNanos;
	}

	private Holding endingAt(long nanos) {
		return believedUntil(Math.min(this.believedUntilNanos, nanos));
	}

	private Holding believedUntil(long nanos) {
		return new Holding(this.name, this.attempt, this.triedNanos, this.ttlNanos, this.wonNanos, this.fence, nanos);
	}

	private static Holding won(Event tried, Event won) {
		return new Holding(won.subject(), won.attempt(), tried.nanos(), tried.first(), won.nanos(), won.first(),
				won.second());
	}

}

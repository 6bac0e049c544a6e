package dev.redlock.internal;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

import dev.redlock.spi.LockNode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names with permits of this process: lines of requests that wait for the same
 * permits on the same nodes, and a warning for each name of which other clients count
 * another number.
 */
final class PermitNames {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.lease");

	private static final int MOST_WARNINGS = 100;

	private final Map<Line, Queue<PermitAttempt>> lines = new HashMap<>();

	private final Set<String> warned = new HashSet<>();

	/**
	 * Adds a request to the end of its line.
	 */
	void join(PermitAttempt attempt) {
		this.lines.computeIfAbsent(Line.of(attempt.plan()), (absent) -> new ArrayDeque<>()).add(attempt);
	}

	/**
	 * Returns the first request of the line for a plan, null if nobody is in line.
	 */
	@Nullable PermitAttempt first(LockPlan plan) {
		Queue<PermitAttempt> line = this.lines.get(Line.of(plan));
		return (line != null) ? line.peek() : null;
	}

	/**
	 * Removes a request, if it is in line.
	 * @return the request that is first now, if that has changed
	 */
	@Nullable PermitAttempt leave(PermitAttempt attempt) {
		Line key = Line.of(attempt.plan());
		Queue<PermitAttempt> line = this.lines.get(key);
		if (line == null) {
			return null;
		}
		boolean first = line.peek() == attempt;
		line.remove(attempt);
		if (line.isEmpty()) {
			this.lines.remove(key);
		}
		return first ? line.peek() : null;
	}

	/**
	 * Warns once that an owner counts another number of permits than a request.
	 */
	void warn(LockPlan plan, int others) {
		if (this.warned.size() < MOST_WARNINGS && this.warned.add(plan.keys().get(0) + " " + others)) {
			logger.warn(
					"A client that counts {} permits of {} has one of them, and this one counts {}. There can be as"
							+ " many owners as the larger number. Use the same number on all clients.",
					others, plan.resources(), plan.permits());
		}
	}

	private record Line(String key, int permits, List<LockNode> nodes) {

		static Line of(LockPlan plan) {
			return new Line(plan.keys().get(0), plan.permits(), plan.nodes());
		}

	}

}

package dev.redlock.internal;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names with permits of this process: a line of requests for each name that is waited
 * for, and a warning for each name of which other clients count another number.
 */
final class PermitNames {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.lease");

	private static final int MOST_WARNINGS = 100;

	private final Map<String, Queue<PermitAttempt>> lines = new HashMap<>();

	private final Set<String> warned = new HashSet<>();

	/**
	 * Adds a request to the end of the line for its name.
	 */
	void join(PermitAttempt attempt) {
		this.lines.computeIfAbsent(name(attempt.plan()), (absent) -> new ArrayDeque<>()).add(attempt);
	}

	/**
	 * Returns the first request of the line for a name, null if nobody is in line.
	 */
	@Nullable PermitAttempt first(LockPlan plan) {
		Queue<PermitAttempt> line = this.lines.get(name(plan));
		return (line != null) ? line.peek() : null;
	}

	/**
	 * Removes a request, if it is in line.
	 * @return the request that is first now, if that has changed
	 */
	@Nullable PermitAttempt leave(PermitAttempt attempt) {
		String name = name(attempt.plan());
		Queue<PermitAttempt> line = this.lines.get(name);
		if (line == null) {
			return null;
		}
		boolean first = line.peek() == attempt;
		line.remove(attempt);
		if (line.isEmpty()) {
			this.lines.remove(name);
		}
		return first ? line.peek() : null;
	}

	/**
	 * Warns once that an owner counts another number of permits than a request.
	 */
	void warn(LockPlan plan, int others) {
		if (this.warned.size() < MOST_WARNINGS && this.warned.add(name(plan) + " " + others)) {
			logger.warn(
					"A client that counts {} permits of {} has one of them, and this one counts {}. There can be as"
							+ " many owners as the larger number. Use the same number on all clients.",
					others, plan.resources(), plan.permits());
		}
	}

	private static String name(LockPlan plan) {
		return plan.keys().get(0);
	}

}

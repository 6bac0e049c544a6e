package dev.redlock.internal;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The slots of permits that requests of this process are claiming. This class keeps two
 * requests from claiming the same slot, and warns if other clients use another number of
 * permits.
 */
final class PermitSlots {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.lease");

	private static final int MOST_WARNINGS = 100;

	private final RandomGenerator random;

	private final Set<String> claimed = new HashSet<>();

	private final Set<String> warned = new HashSet<>();

	PermitSlots(RandomGenerator random) {
		this.random = random;
	}

	/**
	 * Chooses one of some free slots at random, and reserves it until {@link #leave}.
	 * @return the plan for the chosen permit, null if requests of this process are
	 * already asking for all free permits
	 */
	@Nullable LockPlan choose(LockPlan plan, List<Integer> free) {
		List<LockPlan> left = free.stream()
			.map(plan::slot)
			.filter((slot) -> !this.claimed.contains(slot.keys().get(0)))
			.toList();
		if (left.isEmpty()) {
			return null;
		}
		LockPlan chosen = left.get(this.random.nextInt(left.size()));
		this.claimed.add(chosen.keys().get(0));
		return chosen;
	}

	/**
	 * Makes a permit available again to other requests of this process.
	 */
	void leave(LockPlan slot) {
		if (slot.permits() > 0) {
			this.claimed.remove(slot.keys().get(0));
		}
	}

	/**
	 * Logs a warning if another owner of a permit uses another number of permits, once
	 * for each number.
	 */
	void compare(LockPlan plan, Vote vote) {
		String label = (vote instanceof Vote.Refused refused) ? refused.holder() : null;
		if (label == null || label.endsWith(Tokens.permitLabel(plan.permits()))) {
			return;
		}
		int others = Tokens.permits(label);
		if (others > 0 && this.warned.size() < MOST_WARNINGS && this.warned.add(plan.keys().get(0) + " " + others)) {
			logger.warn(
					"Another client allows {} owners at a time for {}, and this client allows {}, so up to the larger "
							+ "number can work at a time. Set the same number of permits on all clients.",
					others, plan.resources(), plan.permits());
		}
	}

}

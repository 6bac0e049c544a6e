package dev.redlock.internal.vote;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

import dev.redlock.internal.plan.LockPlan;
import dev.redlock.internal.plan.Tokens;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps two requests of this process from asking for the same permit, and warns if
 * clients disagree on the number of permits.
 */
public final class PermitSlots {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.lease");

	private static final int MOST_WARNINGS = 100;

	private final RandomGenerator random;

	private final Set<String> claimed = new HashSet<>();

	private final Set<String> warned = new HashSet<>();

	public PermitSlots(RandomGenerator random) {
		this.random = random;
	}

	/**
	 * Reserves a random free permit until {@link #unreserve}. Returns null if all free
	 * permits are reserved for other requests of this process.
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

	public void unreserve(LockPlan slot) {
		if (slot.permits() > 0) {
			this.claimed.remove(slot.keys().get(0));
		}
	}

	void warnIfPermitsDiffer(LockPlan plan, Vote vote) {
		String label = (vote instanceof Vote.Refused refused) ? refused.holder() : null;
		if (label == null || label.endsWith(Tokens.permitLabel(plan.permits()))) {
			return;
		}
		int others = Tokens.permits(label);
		if (others > 0 && this.warned.size() < MOST_WARNINGS && this.warned.add(plan.keys().get(0) + " " + others)) {
			logger.warn(
					"For the lock on {}, another client sets permits = {} and this client sets permits = {}, so up to "
							+ "the larger number of owners can work at a time. Set the same number of permits on all "
							+ "clients.",
					plan.resources(), others, plan.permits());
		}
	}

}

package dev.redlock.spring.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import dev.redlock.spring.redis.Right.Need;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the user of a node was not allowed when it was tried.
 *
 * @param rights the rights, in their order
 * @param prefix what all keys begin with
 * @param sharded whether the node is a cluster
 */
record MissingRights(Set<Right> rights, String prefix, boolean sharded) {

	private static final Logger logger = LoggerFactory.getLogger(MissingRights.class);

	static MissingRights of(Collection<Right> rights, String prefix, boolean sharded) {
		Set<Right> sorted = EnumSet.noneOf(Right.class);
		sorted.addAll(rights);
		return new MissingRights(sorted, prefix, sharded);
	}

	/**
	 * What is missing on any of the servers of a node.
	 */
	MissingRights and(MissingRights other) {
		List<Right> all = new ArrayList<>(this.rights);
		all.addAll(other.rights);
		return of(all, this.prefix, this.sharded);
	}

	/**
	 * Why there are no locks with these rights, or null if there are.
	 */
	@Nullable String refusal() {
		List<Right> needed = needed((need) -> need == Need.LOCKS);
		// All at once, to be added in one go.
		return needed.isEmpty() ? null : describe(needed((need) -> true));
	}

	/**
	 * What these rights make of the lock, one sentence for each thing; empty if nothing
	 * is missing.
	 */
	List<String> warnings() {
		List<String> warnings = new ArrayList<>();
		for (Need need : Need.values()) {
			List<Right> lacking = needed((candidate) -> candidate == need);
			if (need != Need.LOCKS && !lacking.isEmpty()) {
				warnings.add(describe(lacking) + ". " + need.without());
			}
		}
		return warnings;
	}

	/**
	 * Ends a check where there are no locks with these rights.
	 */
	MissingRights orRefuse() {
		String refusal = refusal();
		if (refusal != null) {
			throw UnfitServerException.because(refusal);
		}
		return this;
	}

	/**
	 * Logs what these rights make of the lock, unless that was logged before.
	 */
	void warn(String node, @Nullable MissingRights before) {
		if (before == null || !warnings().equals(before.warnings())) {
			warnings().forEach((warning) -> logger.warn("Redlock node '{}': {}", node, warning));
		}
	}

	private List<Right> needed(Predicate<Need> what) {
		return this.rights.stream().filter((right) -> what.test(right.need())).toList();
	}

	private String describe(List<Right> lacking) {
		String commands = lacking.stream()
			.filter(Right::isCommand)
			.map((right) -> right.command(this.sharded))
			.collect(Collectors.joining(", "));
		String patterns = lacking.stream()
			.filter((right) -> !right.isCommand())
			.map((right) -> right.rule(this.prefix, this.sharded))
			.collect(Collectors.joining(", "));
		String rules = lacking.stream()
			.map((right) -> right.rule(this.prefix, this.sharded))
			.collect(Collectors.joining(" "));
		return "Its Redis user " + (commands.isEmpty() ? "" : "may not run " + commands)
				+ ((commands.isEmpty() || patterns.isEmpty()) ? "" : " and ")
				+ (patterns.isEmpty() ? "" : "may not use " + patterns) + ": add " + rules + " to its ACL rules";
	}

}

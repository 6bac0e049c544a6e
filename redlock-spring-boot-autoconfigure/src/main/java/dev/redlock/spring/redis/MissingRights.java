package dev.redlock.lettuce;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import dev.redlock.lettuce.Right.Need;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rights that the Redis user of a node lacks.
 *
 * @param rights the rights, in the order of the enum
 * @param prefix the prefix of all keys
 * @param sharded whether the node is a cluster
 */
record MissingRights(Set<Right> rights, String prefix, boolean sharded) {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	static MissingRights of(Collection<Right> rights, String prefix, boolean sharded) {
		Set<Right> sorted = EnumSet.noneOf(Right.class);
		sorted.addAll(rights);
		return new MissingRights(sorted, prefix, sharded);
	}

	/**
	 * Returns one warning for each feature that does not work.
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
	 * Whether a release can be announced all the same.
	 */
	boolean allowAnnouncing() {
		return Collections.disjoint(this.rights, Right.TO_ANNOUNCE);
	}

	/**
	 * Throws an {@link UnfitServerException} if locks are impossible.
	 */
	MissingRights orRefuse() {
		if (!needed((need) -> need == Need.LOCKS).isEmpty()) {
			// All missing rights are listed, so that a person can add them in one step.
			throw UnfitServerException.because(describe(needed((need) -> true)));
		}
		return this;
	}

	/**
	 * Logs the warnings, unless the same ones were logged before.
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
		List<String> rules = lacking.stream().map((right) -> right.rule(this.prefix, this.sharded)).toList();
		String commands = lacking.stream()
			.filter(Right::isCommand)
			.map((right) -> right.command(this.sharded))
			.collect(Collectors.joining(", "));
		String patterns = rules.stream().filter((rule) -> !rule.startsWith("+")).collect(Collectors.joining(", "));
		return "Its Redis user " + (commands.isEmpty() ? "" : "may not run " + commands)
				+ ((commands.isEmpty() || patterns.isEmpty()) ? "" : " and ")
				+ (patterns.isEmpty() ? "" : "may not use " + patterns) + ": add " + String.join(" ", rules)
				+ " to its ACL rules";
	}

}

package dev.redlock.lettuce;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import dev.redlock.lettuce.Right.Need;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rights that the Redis user of a node lacks, and the commands that its server does
 * not run.
 *
 * @param errors the error of the server for each right, in the order of the enum
 * @param prefix the prefix of all keys
 * @param sharded whether the node is a cluster
 */
record MissingRights(Map<Right, String> errors, String prefix, boolean sharded) {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	/**
	 * Returns one warning for each feature that does not work.
	 */
	List<String> warnings() {
		List<String> warnings = new ArrayList<>();
		for (Need need : Need.values()) {
			List<Right> lacking = needed((candidate) -> candidate == need);
			if (need != Need.LOCKS && !lacking.isEmpty()) {
				warnings.add(String.join(". ", describe(lacking)) + ". " + need.without());
			}
		}
		return warnings;
	}

	/**
	 * Whether a release can be announced all the same.
	 */
	boolean allowAnnouncing() {
		return Collections.disjoint(this.errors.keySet(), Right.TO_ANNOUNCE);
	}

	/**
	 * Throws an {@link UnfitServerException} if locks are impossible.
	 */
	MissingRights orRefuse() {
		if (!needed((need) -> need == Need.LOCKS).isEmpty()) {
			// All missing rights are listed, so that a person can add them in one step.
			throw UnfitServerException.because(String.join(". ", describe(needed((need) -> true))));
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
		return this.errors.keySet().stream().filter((right) -> what.test(right.need())).toList();
	}

	/**
	 * Returns a sentence about commands that the server does not run, and one about
	 * rights that the user lacks.
	 */
	private List<String> describe(List<Right> lacking) {
		List<Right> unknown = lacking.stream().filter(this::isUnknown).toList();
		List<Right> forbidden = lacking.stream().filter((right) -> !isUnknown(right)).toList();
		List<String> sentences = new ArrayList<>();
		if (!unknown.isEmpty()) {
			sentences.add(describeUnknown(unknown));
		}
		if (!forbidden.isEmpty()) {
			sentences.add(describeForbidden(forbidden));
		}
		return sentences;
	}

	private boolean isUnknown(Right right) {
		return !ServerErrors.isNoPermission(this.errors.getOrDefault(right, ""));
	}

	private String describeUnknown(List<Right> unknown) {
		String said = ServerErrors.withoutArguments(this.errors.getOrDefault(unknown.get(0), ""));
		String text = "The server does not run " + commands(unknown) + " (it said: " + said + ")";
		return unknown.stream().noneMatch((right) -> right.need() == Need.LOCKS) ? text
				: text + ", which locks need. Take back its rename-command, or point the instance at a Redis or Valkey "
						+ "server that has all commands of the lock";
	}

	private String describeForbidden(List<Right> forbidden) {
		List<String> rules = forbidden.stream().map((right) -> right.rule(this.prefix, this.sharded)).toList();
		String commands = commands(forbidden);
		String patterns = rules.stream().filter((rule) -> !rule.startsWith("+")).collect(Collectors.joining(", "));
		return "Its Redis user " + (commands.isEmpty() ? "" : "may not run " + commands)
				+ ((commands.isEmpty() || patterns.isEmpty()) ? "" : " and ")
				+ (patterns.isEmpty() ? "" : "may not use " + patterns) + ": add " + String.join(" ", rules)
				+ " to its ACL rules";
	}

	private String commands(List<Right> rights) {
		return rights.stream()
			.filter(Right::isCommand)
			.map((right) -> right.command(this.sharded))
			.collect(Collectors.joining(", "));
	}

}

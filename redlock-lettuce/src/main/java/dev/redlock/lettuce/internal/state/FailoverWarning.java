package dev.redlock.lettuce.internal.state;

import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.facts.ServerFacts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns that a failover of a node's Redis server may lose locks. Replication is
 * asynchronous, so a failover loses the latest writes, like a restart without
 * persistence.
 */
final class FailoverWarning {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private FailoverWarning() {
	}

	/**
	 * Logs a warning only if the replicas have changed since the last check.
	 */
	static void warn(NodeContext context, @Nullable ServerFacts before, ServerFacts facts) {
		String advice = advice(facts);
		if (context.keepsAcknowledgedWrites() || advice.equals((before != null) ? advice(before) : "")) {
			return;
		}
		if (advice.isEmpty()) {
			logger.info("Redlock node '{}' has no replicas any more", context.node());
			return;
		}
		logger.warn(
				"Redlock node '{}' {}has {}. A failover may lose the latest locks, because they may not have reached "
						+ "the server that takes over. {} {}",
				context.node(), facts.cluster() ? "is a Redis Cluster and " : "",
				facts.replicas() + ((facts.replicas() == 1) ? " replica" : " replicas"),
				consequence(context.settings()), advice);
	}

	private static String advice(ServerFacts facts) {
		if (facts.cluster()) {
			return "Locks on independent masters, each an instance of its own, need no failover.";
		}
		return (facts.replicas() == 0) ? "" : "Replicas add nothing to the safety of locks. Make each replica "
				+ "an independent master and an instance of its own, or remove the replicas.";
	}

	private static String consequence(NodeSettings settings) {
		if (settings.restartGuard()) {
			return "Locks stay safe, because after a failover the node does not vote for "
					+ settings.quarantine().toMillis() + " ms.";
		}
		return "Since redlock.restart-guard.enabled is false, the server that takes over votes at once, and one lock "
				+ "can have two holders: turn the restart guard on.";
	}

}

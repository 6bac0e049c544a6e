package dev.redlock.lettuce;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns, once per change, that another server may take the place of a node's server.
 * Replication is asynchronous, so a failover by Sentinel, a cluster or a person loses the
 * latest writes, as a restart may.
 */
final class FailoverWarning {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private FailoverWarning() {
	}

	/**
	 * Checks the servers of a node. A server that is itself a replica is not reported
	 * here, because it is unfit. Servers that are declared to keep each write lose none
	 * in a failover.
	 * @param before the facts about the servers at the last check, null before the first
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
				"Redlock node '{}' {}has {}. A failover may lose locks: the last ones may not have reached the "
						+ "server that takes over. {} {}",
				context.node(), facts.cluster() ? "is a Redis Cluster and " : "",
				facts.replicas() + ((facts.replicas() == 1) ? " replica" : " replicas"),
				consequence(context.settings()), advice);
	}

	private static String advice(ServerFacts facts) {
		if (facts.cluster()) {
			return "Independent masters, each an instance of its own, need no failover.";
		}
		return (facts.replicas() == 0) ? "" : "Replicas add nothing to the safety of locks: make them instances of "
				+ "their own, which vote, or remove them.";
	}

	private static String consequence(NodeSettings settings) {
		if (settings.restartGuard()) {
			return "Locks survive it only because that server has another run_id, so that the node does not vote for "
					+ settings.quarantine().toMillis() + " ms.";
		}
		return "Since redlock.restart-guard.enabled is false, that server votes at once, and one lock can have two "
				+ "holders: turn the guard on.";
	}

}

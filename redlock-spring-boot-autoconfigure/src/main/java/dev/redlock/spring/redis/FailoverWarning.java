package dev.redlock.spring.redis;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns, once per change, that another server may take the place of a node's server.
 * Replication is asynchronous, so a failover by Sentinel, a cluster or a person loses the
 * latest writes, as a restart may.
 */
final class FailoverWarning {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private final String node;

	private final NodeSettings settings;

	private Risk known = Risk.NONE;

	FailoverWarning(String node, NodeSettings settings) {
		this.node = node;
		this.settings = settings;
	}

	/**
	 * Looks at the servers of the node. A server that is a replica itself is unfit, which
	 * its state reports.
	 */
	void look(ServerFacts facts) {
		Risk risk = Risk.of(facts);
		Risk before = this.known;
		this.known = risk;
		if (risk == before) {
			return;
		}
		if (risk == Risk.NONE) {
			logger.info("Redlock node '{}' has no replicas any more", this.node);
			return;
		}
		logger.warn(
				"Redlock node '{}' {}. A failover is a restart with loss: what was granted last may not have reached "
						+ "the server that takes over. {} {}",
				this.node, risk.describe(facts), consequence(), risk.advice);
	}

	private String consequence() {
		if (this.settings.restartGuard()) {
			return "Locks survive it only because that server has another run_id, so that the node does not vote for "
					+ this.settings.quarantine().toMillis() + " ms.";
		}
		return "Since redlock.restart-guard.enabled is false, that server votes at once, and one lock can have two "
				+ "holders: turn the guard on.";
	}

	/**
	 * The servers that may take the place of a node's server.
	 */
	private enum Risk {

		NONE(""),

		REPLICAS("Replicas add nothing to the safety of locks: make them instances of their own, which vote, or "
				+ "remove them."),

		CLUSTER("Independent masters, each an instance of its own, do without failovers.");

		private final String advice;

		Risk(String advice) {
			this.advice = advice;
		}

		static Risk of(ServerFacts facts) {
			if (facts.cluster()) {
				return CLUSTER;
			}
			return (facts.replicas() > 0) ? REPLICAS : NONE;
		}

		private String describe(ServerFacts facts) {
			String replicas = "has " + facts.replicas() + ((facts.replicas() == 1) ? " replica" : " replicas");
			return (this == CLUSTER) ? "is a Redis Cluster and " + replicas : replicas;
		}

	}

}

package dev.redlock.lettuce;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns, once per change, that another server may take the place of a node's server.
 * Replication is asynchronous, so a failover by Sentinel, a cluster or a person loses the
 * latest writes, as a restart may.
 */
final class FailoverWarning {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private final NodeContext context;

	/** The advice about the servers that were seen last, empty if there is none. */
	private String advice = "";

	FailoverWarning(NodeContext context) {
		this.context = context;
	}

	/**
	 * Looks at the servers of the node. A server that is a replica itself is unfit, which
	 * its state reports. Servers that are declared to keep each write lose none to a
	 * failover.
	 */
	void look(ServerFacts facts) {
		if (this.context.keepsAcknowledgedWrites()) {
			return;
		}
		String before = this.advice;
		this.advice = advice(facts);
		if (this.advice.equals(before)) {
			return;
		}
		if (this.advice.isEmpty()) {
			logger.info("Redlock node '{}' has no replicas any more", this.context.node());
			return;
		}
		logger.warn(
				"Redlock node '{}' {}has {}. A failover is a restart with loss: what was granted last may not have "
						+ "reached the server that takes over. {} {}",
				this.context.node(), facts.cluster() ? "is a Redis Cluster and " : "",
				facts.replicas() + ((facts.replicas() == 1) ? " replica" : " replicas"), consequence(), this.advice);
	}

	private static String advice(ServerFacts facts) {
		if (facts.cluster()) {
			return "Independent masters, each an instance of its own, do without failovers.";
		}
		return (facts.replicas() == 0) ? "" : "Replicas add nothing to the safety of locks: make them instances of "
				+ "their own, which vote, or remove them.";
	}

	private String consequence() {
		if (this.context.settings().restartGuard()) {
			return "Locks survive it only because that server has another run_id, so that the node does not vote for "
					+ this.context.settings().quarantine().toMillis() + " ms.";
		}
		return "Since redlock.restart-guard.enabled is false, that server votes at once, and one lock can have two "
				+ "holders: turn the guard on.";
	}

}

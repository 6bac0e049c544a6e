package dev.redlock.spring.autoconfigure.health;

import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import dev.redlock.QuorumStatus;
import dev.redlock.Redlock;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health of locks: UP while a majority of the nodes can vote on locks, otherwise
 * DOWN. Reads the last known states of the nodes, so that health requests never block,
 * even while Redis servers hang.
 */
final class RedlockHealthIndicator extends AbstractHealthIndicator {

	private final Redlock redlock;

	private final Clock clock;

	private final Supplier<Map<String, String>> warnings;

	/**
	 * @param warnings more health details, which do not change the health status
	 */
	RedlockHealthIndicator(Redlock redlock, Clock clock, Supplier<Map<String, String>> warnings) {
		super("The health of the lock could not be determined");
		this.redlock = redlock;
		this.clock = clock;
		this.warnings = warnings;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		QuorumStatus quorum = this.redlock.quorum();
		if (this.redlock.isClosed()) {
			builder.down()
				.withDetail("reason", "The lock is closed, because its application context was stopped: no lock can be"
						+ " acquired until the context is started again");
		}
		else if (!quorum.isReached()) {
			builder.down()
				.withDetail("reason",
						quorum.ready() + " of " + quorum.nodes() + " nodes are ready and " + quorum.majority()
								+ ((quorum.majority() == 1) ? " is" : " are") + " needed: no lock can be acquired");
		}
		else {
			builder.up();
			if (quorum.isDegraded()) {
				builder.withDetail("degraded", true);
			}
		}
		this.warnings.get().forEach(builder::withDetail);
		builder.withDetail("ready", quorum.ready())
			.withDetail("quorum", quorum.majority())
			.withDetail("margin", quorum.margin())
			.withDetail("nodes", nodes());
	}

	/**
	 * Returns strings, because other types would need hints in a native image.
	 */
	private Map<String, Map<String, String>> nodes() {
		Map<String, Map<String, String>> nodes = new LinkedHashMap<>();
		for (LockNode node : this.redlock.nodes()) {
			nodes.put(node.name(), details(node.status(), node.keepsAcknowledgedWrites(), this.clock));
		}
		return nodes;
	}

	static Map<String, String> details(NodeStatus status, boolean declared, Clock clock) {
		Map<String, String> details = new LinkedHashMap<>();
		details.put("state", status.state().name());
		if (!status.reason().isEmpty()) {
			details.put("reason", status.reason());
		}
		if (status.remaining() != null) {
			details.put("until", clock.instant().plus(status.remaining()).truncatedTo(ChronoUnit.SECONDS).toString());
		}
		if (declared) {
			details.put("keepsAcknowledgedWrites", "declared, not checked");
		}
		return details;
	}

}

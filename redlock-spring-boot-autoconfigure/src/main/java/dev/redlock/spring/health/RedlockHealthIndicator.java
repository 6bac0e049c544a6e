package dev.redlock.spring.health;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import dev.redlock.QuorumStatus;
import dev.redlock.Redlock;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health of the lock: UP while a majority of the nodes is ready, and DOWN without a
 * majority. The detail {@code degraded} shows that some nodes are not ready, and
 * {@code otherSettings} that another client has other nodes or another largest ttl.
 * <p>
 * It sends no request to the nodes but reads their known state, so it never blocks, even
 * while servers hang.
 */
public final class RedlockHealthIndicator extends AbstractHealthIndicator {

	private final Redlock redlock;

	private final Clock clock;

	private final Supplier<Map<String, String>> warnings;

	/**
	 * Creates the indicator.
	 * @param redlock the lock
	 * @param clock the clock for the end of a quarantine
	 */
	public RedlockHealthIndicator(Redlock redlock, Clock clock) {
		this(redlock, clock, Map::of);
	}

	/**
	 * Creates the indicator with warnings about the configuration.
	 * @param redlock the lock
	 * @param clock the clock for the end of a quarantine
	 * @param warnings more details, which do not change the status
	 */
	public RedlockHealthIndicator(Redlock redlock, Clock clock, Supplier<Map<String, String>> warnings) {
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
				.withDetail("reason", quorum.ready() + " of " + quorum.nodes() + " nodes are ready and "
						+ quorum.majority() + " are needed: no lock can be acquired");
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

	private Map<String, NodeDetails> nodes() {
		Map<String, NodeDetails> nodes = new LinkedHashMap<>();
		for (LockNode node : this.redlock.nodes()) {
			nodes.put(node.name(), NodeDetails.of(node.status(), this.clock));
		}
		return nodes;
	}

	/**
	 * The state of one node.
	 *
	 * @param state the state
	 * @param reason the reason why it does not vote, null if it votes
	 * @param until the end of that state, null if it is not known
	 */
	record NodeDetails(NodeStatus.State state, @Nullable String reason, @Nullable Instant until) {

		static NodeDetails of(NodeStatus status, Clock clock) {
			String reason = status.reason().isEmpty() ? null : status.reason();
			Instant until = (status.remaining() != null)
					? clock.instant().plus(status.remaining()).truncatedTo(ChronoUnit.SECONDS) : null;
			return new NodeDetails(status.state(), reason, until);
		}

	}

}

package dev.redlock.spring.autoconfigure.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.redlock.LeaseSnapshot;
import dev.redlock.QuorumStatus;
import dev.redlock.Redlock;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The state of the {@link Redlock} in this application process, as the actuator endpoint
 * shows it.
 */
record LockDescription(Quorum quorum, List<Node> nodes, List<Held> leases,
		Map<String, Integer> waiters) implements OperationResponseBody {

	static LockDescription of(Redlock redlock, Instant now) {
		String owner = redlock.settings().owner();
		return new LockDescription(Quorum.of(redlock.quorum()), redlock.nodes().stream().map(Node::of).toList(),
				redlock.leases().stream().map((lease) -> Held.of(lease, owner, now)).toList(), redlock.waiters());
	}

	static @Nullable Duration rounded(@Nullable Duration duration) {
		return (duration != null) ? duration.truncatedTo(ChronoUnit.MILLIS) : null;
	}

	/**
	 * How many nodes exist, how many can vote on locks, and how many make a majority.
	 *
	 * @param margin how many more nodes may fail while locks can still be acquired
	 */
	record Quorum(int nodes, int ready, int majority, int margin) {

		static Quorum of(QuorumStatus status) {
			return new Quorum(status.nodes(), status.ready(), status.majority(), status.margin());
		}

	}

	/**
	 * The state of one Redis node.
	 *
	 * @param keepsAcknowledgedWrites null unless the property
	 * {@code keeps-acknowledged-writes} is set for the node
	 */
	record Node(String name, NodeStatus.State state, @Nullable String reason, @Nullable Duration remaining,
			@Nullable String keepsAcknowledgedWrites) {

		private static final String DECLARED = "declared, not checked";

		static Node of(LockNode node) {
			NodeStatus status = node.status();
			return new Node(node.name(), status.state(), status.reason().isEmpty() ? null : status.reason(),
					rounded(status.remaining()), node.keepsAcknowledgedWrites() ? DECLARED : null);
		}

	}

	/**
	 * A lease that this application process holds.
	 *
	 * @param origin names the code that requested the lock, such as a method with
	 * {@code @RedLock}; null if unknown
	 */
	record Held(Set<String> resources, @Nullable String permit, String owner, @Nullable String origin, Instant since,
			@Nullable Duration remaining, @Nullable Long fence) {

		static Held of(LeaseSnapshot lease, String owner, Instant now) {
			return new Held(lease.resources(), lease.permit(), owner, lease.origin(),
					now.minus(lease.heldFor()).truncatedTo(ChronoUnit.MILLIS), rounded(lease.remaining()),
					(lease.fence() != 0) ? lease.fence() : null);
		}

	}

}

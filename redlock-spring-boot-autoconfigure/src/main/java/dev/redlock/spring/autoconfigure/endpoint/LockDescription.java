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
 * The state of the lock in this application process.
 * 
 * @param quorum whether enough nodes can vote on locks
 * @param nodes the state of each node
 * @param leases the leases that this application process holds
 * @param waiters the number of waiting requests of this application process, by resource
 */
record LockDescription(Quorum quorum, List<Node> nodes, List<Held> leases,
		Map<String, Integer> waiters) implements OperationResponseBody {

	static LockDescription of(Redlock redlock, Instant now) {
		String owner = redlock.settings().owner();
		return new LockDescription(Quorum.of(redlock.quorum()), redlock.nodes().stream().map(Node::of).toList(),
				redlock.leases().stream().map((lease) -> Held.of(lease, owner, now)).toList(), redlock.waiters());
	}

	/**
	 * Rounds a duration to milliseconds, because people who read the endpoint need no
	 * nanoseconds.
	 */
	static @Nullable Duration rounded(@Nullable Duration duration) {
		return (duration != null) ? duration.truncatedTo(ChronoUnit.MILLIS) : null;
	}

	/**
	 * Whether enough nodes can vote on locks.
	 * 
	 * @param nodes the number of configured nodes
	 * @param ready the number of nodes that can vote on locks
	 * @param majority the number of nodes that must grant a lock
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
	 * @param name the name of the node
	 * @param state the state of the node
	 * @param reason why the node does not vote on locks, null if it votes
	 * @param remaining how much longer the node stays in its state, null if unknown
	 * @param keepsAcknowledgedWrites {@value #DECLARED} if the operator declares that the
	 * node keeps each acknowledged write, otherwise null
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
	 * @param resources the names of the locked resources
	 * @param permit the name of the permit, null if the lease is a lock
	 * @param owner the label of the lease's owner that other processes see
	 * @param origin the origin of the lock request, null if the request has no origin
	 * @param since when the lease was acquired
	 * @param remaining how much longer the lease is valid
	 * @param fence the fence of the lease, null without fencing
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

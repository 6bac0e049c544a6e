package dev.redlock.spring.endpoint;

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
 * The lock as this instance sees it.
 *
 * @param quorum whether enough nodes can vote
 * @param nodes how each node stands
 * @param leases what this instance holds
 * @param waiters how many requests of this instance wait, by resource
 */
record LockDescription(Quorum quorum, List<Node> nodes, List<Held> leases,
		Map<String, Integer> waiters) implements OperationResponseBody {

	static LockDescription of(Redlock redlock, Instant now) {
		String owner = redlock.settings().owner();
		return new LockDescription(Quorum.of(redlock.quorum()), redlock.nodes().stream().map(Node::of).toList(),
				redlock.leases().stream().map((lease) -> Held.of(lease, owner, now)).toList(), redlock.waiters());
	}

	/**
	 * Nobody reads nanoseconds.
	 */
	static @Nullable Duration rounded(@Nullable Duration duration) {
		return (duration != null) ? duration.truncatedTo(ChronoUnit.MILLIS) : null;
	}

	/**
	 * Whether enough nodes can vote.
	 *
	 * @param nodes how many are configured
	 * @param ready how many can vote
	 * @param majority how many must grant a lock
	 * @param margin how many more may fail
	 */
	record Quorum(int nodes, int ready, int majority, int margin) {

		static Quorum of(QuorumStatus status) {
			return new Quorum(status.nodes(), status.ready(), status.majority(), status.margin());
		}

	}

	/**
	 * How one node stands.
	 *
	 * @param name its name
	 * @param state its state
	 * @param reason why it does not vote, null if it does
	 * @param remaining how long that will last, null if that is not known
	 */
	record Node(String name, NodeStatus.State state, @Nullable String reason, @Nullable Duration remaining) {

		static Node of(LockNode node) {
			NodeStatus status = node.status();
			return new Node(node.name(), status.state(), status.reason().isEmpty() ? null : status.reason(),
					rounded(status.remaining()));
		}

	}

	/**
	 * A lease of this instance.
	 *
	 * @param resources what is locked
	 * @param owner the label that others see
	 * @param origin who asked for it, null if the request did not say
	 * @param since when it was acquired
	 * @param remaining how long it may still be trusted
	 * @param fence its fence, null without fencing
	 */
	record Held(Set<String> resources, String owner, @Nullable String origin, Instant since,
			@Nullable Duration remaining, @Nullable Long fence) {

		static Held of(LeaseSnapshot lease, String owner, Instant now) {
			return new Held(lease.resources(), owner, lease.origin(),
					now.minus(lease.heldFor()).truncatedTo(ChronoUnit.MILLIS), rounded(lease.remaining()),
					(lease.fence() != 0) ? lease.fence() : null);
		}

	}

}

package dev.redlock.lettuce;

import java.util.List;
import java.util.stream.Collectors;

import dev.redlock.QuorumStatus;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs when too few nodes are ready to grant locks, and when enough nodes are ready
 * again. A node that is being checked counts neither as ready nor as failed, because its
 * check ends soon. All methods are called on the event loop.
 */
final class QuorumWatch implements NodeListener {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private final NodeListener listener;

	/**
	 * The list of nodes is empty before {@link #watch} and after {@link #close}.
	 */
	private List<RedisLockNode> watched = List.of();

	private boolean impossible;

	private boolean closed;

	QuorumWatch(NodeListener listener) {
		this.listener = listener;
	}

	void open() {
		this.closed = false;
		this.impossible = false;
	}

	/**
	 * Starts logging; called after each node has been checked or could not be reached.
	 */
	void watch(List<RedisLockNode> nodes) {
		if (!this.closed) {
			this.watched = nodes;
			update();
		}
	}

	/**
	 * Stops logging, so that closing the nodes causes no warnings.
	 */
	void close() {
		this.closed = true;
		this.watched = List.of();
	}

	@Override
	public void nodeChanged(String node, NodeStatus from, NodeStatus to) {
		update();
		this.listener.nodeChanged(node, from, to);
	}

	private void update() {
		int majority = QuorumStatus.majorityOf(this.watched.size());
		long ready = count(State.READY);
		if (!this.impossible && !this.watched.isEmpty() && ready + count(State.CHECKING) < majority) {
			this.impossible = true;
			logger.error(
					"No lock can be acquired: {} of {} redlock nodes are ready, and {}. Nodes that do not vote: {}. "
							+ "{} Calls that need a lock fail with NO_QUORUM until enough nodes are ready.",
					ready, this.watched.size(), needed(majority), notReady(), advice(ready, majority));
		}
		else if (this.impossible && ready >= majority) {
			this.impossible = false;
			logger.info("Locks can be acquired again: {} of {} redlock nodes are ready, and {}.{}", ready,
					this.watched.size(), needed(majority),
					(ready < this.watched.size()) ? " Nodes that do not vote: " + notReady() + "." : "");
		}
	}

	private static String needed(int majority) {
		return majority + ((majority == 1) ? " is needed" : " are needed");
	}

	private String advice(long ready, int majority) {
		return (ready + count(State.QUARANTINED) >= majority)
				? "Wait: enough nodes vote again by themselves after redlock.max-ttl. In "
						+ "development, but never in production, redlock.restart-guard.enabled=false avoids the wait."
				: "For each node that does not vote, an earlier log line says why, and what to do.";
	}

	private long count(State state) {
		return this.watched.stream().filter((node) -> node.status().state() == state).count();
	}

	private String notReady() {
		return this.watched.stream()
			.filter((node) -> node.status().state() != State.READY)
			.map((node) -> node.name() + " (" + node.status().state() + ")")
			.collect(Collectors.joining(", "));
	}

}

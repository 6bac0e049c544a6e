package dev.redlock;

import java.util.List;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;

/**
 * The number of nodes that can vote, compared with the number that a lock needs.
 *
 * @param nodes the number of configured nodes
 * @param ready the number of nodes that may vote, 0 if the {@link Redlock} is closed
 * @param majority the number of nodes that must grant a lock
 */
public record QuorumStatus(int nodes, int ready, int majority) {

	/**
	 * Returns how many nodes can vote on locks; none if the {@link Redlock} is closed.
	 */
	static QuorumStatus of(List<LockNode> nodes, boolean closed) {
		long ready = closed ? 0 : nodes.stream().filter((node) -> node.status().state() == State.READY).count();
		return new QuorumStatus(nodes.size(), (int) ready, majorityOf(nodes.size()));
	}

	/**
	 * Returns the size of a majority. Any two majorities share at least one node.
	 */
	public static int majorityOf(int nodes) {
		return nodes / 2 + 1;
	}

	/**
	 * Returns how many more nodes may fail before locks become impossible, negative if
	 * locks are impossible now.
	 */
	public int margin() {
		return this.ready - this.majority;
	}

	/**
	 * Returns whether enough nodes can vote to grant locks.
	 */
	public boolean isReached() {
		return margin() >= 0;
	}

	/**
	 * Returns whether at least one node cannot vote.
	 */
	public boolean isDegraded() {
		return this.ready < this.nodes;
	}

}

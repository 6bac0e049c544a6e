package dev.redlock;

import java.util.List;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;

/**
 * The number of nodes that can vote, compared with the number that a lock needs.
 *
 * @param nodes the number of configured nodes
 * @param ready the number of nodes that may vote, 0 if the lock is closed
 * @param majority the number of nodes that must grant a lock
 */
public record QuorumStatus(int nodes, int ready, int majority) {

	static QuorumStatus of(List<LockNode> nodes) {
		int ready = (int) nodes.stream().filter((node) -> node.status().state() == State.READY).count();
		return withReady(ready, nodes);
	}

	/**
	 * Returns the status of a closed lock, which asks no node.
	 */
	static QuorumStatus closed(List<LockNode> nodes) {
		return withReady(0, nodes);
	}

	/**
	 * Returns the number of nodes of which any two sets share a node.
	 * @param nodes the configured number of nodes
	 * @return the number of nodes
	 */
	public static int majorityOf(int nodes) {
		return nodes / 2 + 1;
	}

	/**
	 * Returns the number of nodes that may still fail before locks become impossible.
	 * @return the number of nodes, negative if there are too few already
	 */
	public int margin() {
		return this.ready - this.majority;
	}

	/**
	 * Returns whether locks can be acquired.
	 * @return true while a majority is ready
	 */
	public boolean isReached() {
		return margin() >= 0;
	}

	/**
	 * Returns whether at least one node cannot vote.
	 * @return true unless all nodes are ready
	 */
	public boolean isDegraded() {
		return this.ready < this.nodes;
	}

	private static QuorumStatus withReady(int ready, List<LockNode> nodes) {
		return new QuorumStatus(nodes.size(), ready, majorityOf(nodes.size()));
	}

}

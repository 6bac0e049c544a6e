package dev.redlock;

import java.util.List;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;

/**
 * How far the nodes are from being too few.
 *
 * @param nodes how many nodes are configured
 * @param ready how many of them may vote
 * @param majority how many must grant a lock
 */
public record QuorumStatus(int nodes, int ready, int majority) {

	static QuorumStatus of(List<LockNode> nodes) {
		int ready = (int) nodes.stream().filter((node) -> node.status().state() == State.READY).count();
		return new QuorumStatus(nodes.size(), ready, new Quorum(nodes.size()).majority());
	}

	/**
	 * How many more nodes may fail before no lock can be acquired.
	 * @return the number of nodes, negative when there are too few already
	 */
	public int margin() {
		return this.ready - this.majority;
	}

	/**
	 * Whether locks can be acquired.
	 * @return true while a majority is ready
	 */
	public boolean isReached() {
		return margin() >= 0;
	}

	/**
	 * Whether the margin is smaller than it could be.
	 * @return true unless all nodes are ready
	 */
	public boolean isDegraded() {
		return this.ready < this.nodes;
	}

}

package dev.redlock;

/**
 * The number of nodes that form a majority, computed from the configured nodes, never
 * from the connected ones.
 *
 * @param nodes the configured number of nodes
 */
record Quorum(int nodes) {

	Quorum {
		if (nodes < 1) {
			throw new IllegalArgumentException("A quorum needs at least one node, not " + nodes);
		}
	}

	int majority() {
		return this.nodes / 2 + 1;
	}

}

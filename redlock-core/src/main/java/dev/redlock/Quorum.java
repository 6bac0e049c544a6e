package dev.redlock;

/**
 * The arithmetic of a majority over the configured number of nodes, never over the nodes
 * that happen to be connected.
 *
 * @param nodes the configured number of nodes
 */
record Quorum(int nodes) {

	Quorum {
		if (nodes < 1) {
			throw new IllegalArgumentException("A quorum needs at least one node, not " + nodes);
		}
	}

	/**
	 * How many grants win.
	 */
	int majority() {
		return this.nodes / 2 + 1;
	}

}

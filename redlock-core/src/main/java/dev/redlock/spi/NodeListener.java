package dev.redlock.spi;

/**
 * Is told when a node begins or ends to vote. Told of one change after the other, in
 * their order, and never on a thread that a node needs; what it throws is logged and
 * changes nothing.
 */
@FunctionalInterface
public interface NodeListener {

	/**
	 * A node has changed its state.
	 * @param node the name of the node
	 * @param from how it stood before
	 * @param to how it stands now
	 */
	void nodeChanged(String node, NodeStatus from, NodeStatus to);

}

package dev.redlock.lettuce;

import dev.redlock.spi.NodeStatus;

/**
 * Listener for changes of the states of the nodes. Changes of a state are reported one
 * after the other, in order, on the executor that was registered with the listener. An
 * exception of a listener is left to this executor, and has no effect on the node.
 */
@FunctionalInterface
public interface NodeListener {

	/**
	 * Called when a node has changed its state.
	 * @param node the name of the node
	 * @param from the status of the node before the change
	 * @param to the status of the node after the change
	 */
	void nodeChanged(String node, NodeStatus from, NodeStatus to);

}

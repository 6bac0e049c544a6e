package dev.redlock.spring.autoconfigure;

import dev.redlock.spi.NodeStatus;

/**
 * The application event that the state of a node changed. Events are published in the
 * order of the changes, on the thread for listeners, once all beans are created.
 *
 * @param node the name of the node
 * @param from the state before
 * @param to the state now
 */
public record RedlockNodeEvent(String node, NodeStatus from, NodeStatus to) {

}

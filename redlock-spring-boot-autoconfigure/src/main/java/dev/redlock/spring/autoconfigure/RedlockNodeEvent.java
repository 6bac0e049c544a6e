package dev.redlock.spring.autoconfigure;

import dev.redlock.spi.NodeStatus;

/**
 * An application event: a node has begun or ended to vote. Published in the order of the
 * changes, on the thread for listeners, from the moment when all beans are made.
 *
 * @param node the name of the node
 * @param from how it stood before
 * @param to how it stands now
 */
public record RedlockNodeEvent(String node, NodeStatus from, NodeStatus to) {

}

package dev.redlock.spring.autoconfigure;

import dev.redlock.spi.NodeStatus;

/**
 * The application event that the state of a Redis node has changed. Listeners of the
 * event run on one separate thread, in the order of the changes. No event is published
 * before all beans are created.
 *
 * @param node the name of the Redis node
 * @param from the state of the node before the change
 * @param to the state of the node after the change
 */
public record RedlockNodeEvent(String node, NodeStatus from, NodeStatus to) {

}

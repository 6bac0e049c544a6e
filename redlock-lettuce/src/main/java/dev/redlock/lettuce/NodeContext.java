package dev.redlock.lettuce;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Ticker;

/**
 * The properties of one node, and the objects that all nodes of one lock share.
 *
 * @param node the name of the node
 * @param keepsAcknowledgedWrites whether the operator of its servers declares that the
 * servers keep each write that they have answered
 * @param settings the settings of all nodes
 * @param registry records which node votes for which server
 * @param pauses distinguishes pauses of this process from steps of servers' clocks
 * @param loop owns the state of the nodes
 * @param ticker the clock of this client, which does not count pauses
 * @param listener is notified of each change of a node's state, on the loop
 */
record NodeContext(String node, boolean keepsAcknowledgedWrites, NodeSettings settings, ServerRegistry registry,
		PauseDetector pauses, EventLoop loop, Ticker ticker, NodeListener listener) {
}

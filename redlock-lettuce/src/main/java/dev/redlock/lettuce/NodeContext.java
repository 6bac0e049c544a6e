package dev.redlock.lettuce;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Ticker;

/**
 * The properties of one node, and the objects that all nodes of one lock share.
 * 
 * @param node the name of the node
 * @param keepsAcknowledgedWrites whether the operator declares that the servers of the
 * node keep each acknowledged write
 * @param settings the settings that all nodes share
 * @param registry records which node votes for which server
 * @param pauses distinguishes pauses of this process from steps of the servers' clocks
 * @param loop the event loop that changes the state of all nodes
 * @param ticker the clock of this client, which stands still during a pause
 * @param listener is notified of each change of a node's state, on the event loop
 */
record NodeContext(String node, boolean keepsAcknowledgedWrites, NodeSettings settings, ServerRegistry registry,
		PauseDetector pauses, EventLoop loop, Ticker ticker, NodeListener listener) {
}

package dev.redlock.lettuce;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Ticker;

/**
 * The collaborators that all nodes of one lock share.
 *
 * @param settings the settings of the lock
 * @param registry records which node votes for which server
 * @param loop owns the state of the nodes
 * @param ticker the clock of this client
 * @param listener hears of each change of a node's state, on the loop
 */
record NodeContext(NodeSettings settings, ServerRegistry registry, EventLoop loop, Ticker ticker,
		NodeListener listener) {

}

package dev.redlock.lettuce;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Ticker;

/**
 * The properties of one node, and the objects that all nodes of one lock share.
 *
 * @param keepsAcknowledgedWrites whether the operator declares that the servers of the
 * node keep each acknowledged write
 * @param ticker the clock of this client, which stands still during a pause
 */
record NodeContext(String node, boolean keepsAcknowledgedWrites, NodeSettings settings, ServerRegistry registry,
		PauseDetector pauses, EventLoop loop, Ticker ticker) {
}

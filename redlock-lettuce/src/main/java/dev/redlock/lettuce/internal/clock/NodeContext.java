package dev.redlock.lettuce.internal.clock;

import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.facts.ServerRegistry;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Ticker;

/**
 * The properties of one node, and the objects that all nodes of one lock share.
 *
 * @param keepsAcknowledgedWrites whether the operator declares that the servers of the
 * node keep each acknowledged write
 * @param ticker the clock of this client, which stands still during a pause
 */
public record NodeContext(String node, boolean keepsAcknowledgedWrites, NodeSettings settings, ServerRegistry registry,
		PauseDetector pauses, EventLoop loop, Ticker ticker) {
}

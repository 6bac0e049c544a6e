package dev.redlock.lettuce;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Ticker;

/**
 * The collaborators that all nodes of one lock share.
 *
 * @param settings the settings of the node
 * @param registry records which node votes for which server
 * @param loop owns the state of the nodes
 * @param ticker the clock of this client
 * @param listener hears of each change of a node's state, on the loop
 */
record NodeContext(NodeSettings settings, ServerRegistry registry, EventLoop loop, Ticker ticker,
		NodeListener listener) {

	/**
	 * Returns the context of a node whose operator declares that its servers keep each
	 * write that they have answered.
	 */
	NodeContext declared() {
		return new NodeContext(this.settings.declared(), this.registry, this.loop, this.ticker, this.listener);
	}

}

package dev.redlock.spring.redis;

import java.util.concurrent.CompletionStage;

import dev.redlock.spi.LockNode;

/**
 * A node with a life: it is started, finds out how it stands, and is closed.
 */
interface SupervisedNode extends LockNode, AutoCloseable {

	/**
	 * Begins to connect, without waiting for it.
	 */
	void start();

	/**
	 * Completes when the node was checked, or could not be reached, for the first time.
	 */
	CompletionStage<Void> firstVerdict();

	@Override
	void close();

}

package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.spi.LockNode;
import org.jspecify.annotations.Nullable;

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

	/**
	 * The marker of the node's data; null while nobody knows it.
	 */
	CompletableFuture<@Nullable String> marker();

	/**
	 * Writes down which nodes this client uses, and asks which others use; null while
	 * nobody knows.
	 */
	CompletableFuture<@Nullable List<String>> exchange(String nodeList, Duration lasting);

	@Override
	void close();

}

package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import dev.redlock.spi.Vote;
import dev.redlock.spring.redis.DataHistory.KnownLife;
import org.jspecify.annotations.Nullable;

/**
 * What a node can ask of its server, or servers, over connections that were made once and
 * are not made again. Called on the event loop, and answers there.
 */
interface NodeConnection {

	/**
	 * Begins to tell what happens to the connections, on the event loop.
	 * @param lost is told, perhaps more than once, that a connection was lost, or why it
	 * is to be given up
	 * @param refused is told the errors that servers answer to scripts with
	 */
	void start(Consumer<String> lost, Consumer<String> refused);

	/**
	 * Asks the servers all that decides whether the node may vote, and loads the scripts.
	 * The stage fails as the first failing command does.
	 * @param known the life of the server that was seen last
	 */
	CompletionStage<ServerReport> check(KnownLife known);

	/**
	 * Asks the servers what they are, and nothing else.
	 */
	CompletionStage<ServerFacts> look();

	/**
	 * Tries what the lock needs to do. The stage fails with an
	 * {@link UnfitServerException} where there are no locks.
	 */
	CompletionStage<MissingRights> rights();

	/**
	 * Runs a script. Never fails: whatever goes wrong is a vote.
	 */
	CompletionStage<Vote> run(ScriptCall call);

	/**
	 * Asks for the marker of the data, and makes it last; null where it is not known.
	 */
	CompletableFuture<@Nullable String> marker();

	/**
	 * Writes down which nodes this client uses, and asks which others use; null where
	 * that is not known.
	 */
	CompletableFuture<@Nullable List<String>> exchange(String nodeList, Duration lasting);

	/**
	 * Closes the connections.
	 * @return completes when they are closed
	 */
	CompletableFuture<Void> close();

}

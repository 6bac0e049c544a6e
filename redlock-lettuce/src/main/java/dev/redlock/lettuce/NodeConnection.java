package dev.redlock.lettuce;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import dev.redlock.lettuce.DataHistory.KnownLife;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a node to its server, or to all servers of its cluster. It never
 * reconnects. It is called on the event loop and answers there.
 */
interface NodeConnection {

	/** The listener before the start and after the end. */
	Consumer<String> NO_LISTENER = (news) -> {
	};

	/**
	 * Starts to report what happens to the connection, on the event loop.
	 * @param lost receives the reason, perhaps more than once, when the connection was
	 * lost or must be closed
	 * @param refused receives the errors that servers answer to scripts
	 */
	void start(Consumer<String> lost, Consumer<String> refused);

	/**
	 * Reports what is received on channels, on the event loop.
	 * @param listener receives the name of a channel with each message, and with null
	 * when a subscription has ended
	 */
	void listen(BiConsumer<String, @Nullable String> listener);

	/**
	 * Subscribes to the channel of a key, in order with the other commands. The stage
	 * completes when the server has confirmed it, and fails if messages cannot come over
	 * this connection.
	 */
	CompletionStage<Void> subscribe(String key);

	/**
	 * Ends a subscription.
	 */
	void unsubscribe(String key);

	/**
	 * Asks the servers everything that decides whether the node may vote, and loads the
	 * scripts. If a command fails, the stage fails with the same exception.
	 * @param known the life of the server that was seen last
	 */
	CompletionStage<ServerReport> check(KnownLife known);

	/**
	 * Asks the servers for their facts only.
	 */
	CompletionStage<ServerFacts> readFacts();

	/**
	 * Claims, extends and releases a key that no lock has. The stage fails like a command
	 * that a server answers with an error.
	 * @return why releases cannot be announced, or null if they can
	 */
	CompletionStage<@Nullable String> tryClaim();

	/**
	 * Runs a script. The stage never fails: each failure is a vote.
	 */
	CompletionStage<Vote> run(ScriptCall call);

	/**
	 * Whether a call on these keys takes several scripts, which may do a part of it.
	 */
	default boolean splits(List<String> keys) {
		return false;
	}

	/**
	 * Reads the marker of the data and renews its ttl. Null if there is none, or not the
	 * one that was checked.
	 */
	CompletableFuture<@Nullable String> marker();

	/**
	 * Stores the settings of this client on the server, and reads those of other clients,
	 * as {@link Marker#EXCHANGE} answers them.
	 */
	CompletableFuture<List<String>> exchange(String fingerprint, String settings, Duration lasting);

	/**
	 * Closes the connections.
	 * @return completes when they are closed
	 */
	CompletableFuture<Void> close();

}

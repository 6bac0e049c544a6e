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
 * The connection of a node to its server, or to all servers of its cluster. A connection
 * never reconnects. All methods are called on the event loop, and answers arrive on the
 * event loop.
 */
interface NodeConnection {

	/** The listener that is used before the start and after the end. */
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
	 * Subscribes to the channel of a key, behind all earlier commands. The stage
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
	 * @param known the server process and data that this client saw last
	 */
	CompletionStage<ServerReport> check(KnownLife known);

	/**
	 * Asks the servers for their facts, without the rest of a check.
	 */
	CompletionStage<ServerFacts> readFacts();

	/**
	 * Claims, extends and releases a key that no lock has. The stage fails if a server
	 * answers a command with an error.
	 * @return why releases cannot be announced, or null if releases can be announced
	 */
	CompletionStage<@Nullable String> tryClaim();

	/**
	 * Runs a script. The stage never fails, because each failure becomes a vote.
	 */
	CompletionStage<Vote> run(ScriptCall call);

	/**
	 * Whether a call on these keys needs several scripts, so that only a part of the call
	 * may take effect.
	 */
	default boolean splits(List<String> keys) {
		return false;
	}

	/**
	 * Reads the marker of the data and renews its ttl. The result is null if the server
	 * has no marker, or another marker than at the check.
	 */
	CompletableFuture<@Nullable String> marker();

	/**
	 * Stores the settings of this client on the server, and reads the settings of other
	 * clients in the format of {@link Marker#EXCHANGE}.
	 */
	CompletableFuture<List<String>> exchange(String fingerprint, String settings, Duration lasting);

	/**
	 * Closes the connections.
	 * @return completes when the connections are closed
	 */
	CompletableFuture<Void> close();

}

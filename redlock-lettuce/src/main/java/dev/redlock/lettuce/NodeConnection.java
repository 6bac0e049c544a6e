package dev.redlock.lettuce;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import dev.redlock.lettuce.DataHistory.KnownServer;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a node to its Redis server, or to all servers of its cluster. The
 * connection never reconnects. All methods of the connection must be called on the event
 * loop, and their results arrive on the event loop.
 */
interface NodeConnection {

	/** The listener before a connection is started and after it is closed. */
	Consumer<String> NO_LISTENER = (reason) -> {
	};

	/**
	 * Starts to report events of the connection, on the event loop.
	 * @param lost receives the reason when the connection is lost or must be closed,
	 * perhaps several times
	 * @param refused receives the errors with which servers answer scripts
	 */
	void start(Consumer<String> lost, Consumer<String> refused);

	/**
	 * Reports the messages of subscribed channels, on the event loop.
	 * @param listener receives the channel and the message; the message is null when a
	 * subscription has ended
	 */
	void listen(BiConsumer<String, @Nullable String> listener);

	/**
	 * Subscribes to the channel of a lock key after all earlier commands. The returned
	 * stage completes when the server has confirmed the subscription, and fails if this
	 * connection cannot receive messages.
	 */
	CompletionStage<Void> subscribe(String key);

	/**
	 * Ends the subscription to the channel of a lock key.
	 */
	void unsubscribe(String key);

	/**
	 * Asks the servers for all facts that decide whether the node may vote, and loads the
	 * scripts. If a command fails, the stage fails with the exception of the command.
	 * @param known the server process and the data that this client saw last
	 */
	CompletionStage<ServerReport> check(KnownServer known);

	/**
	 * Asks the servers for their facts, without the other steps of {@link #check}.
	 */
	CompletionStage<ServerFacts> readFacts();

	/**
	 * Acquires, extends and releases a test key that no lock uses. The stage fails if a
	 * server answers a command with an error.
	 * @return why the servers cannot announce releases, or null if they can
	 */
	CompletionStage<@Nullable String> tryTestLock();

	/**
	 * Runs a script. The stage never fails, because each failure becomes a vote with a
	 * fault.
	 */
	CompletionStage<Vote> run(ScriptCall call);

	/**
	 * Whether a script call with the given lock keys needs several scripts, so that only
	 * some of its keys may be written.
	 */
	default boolean splits(List<String> keys) {
		return false;
	}

	/**
	 * Reads the marker of the server's data and extends its ttl. The returned stage has
	 * the result null if the marker is missing, or has changed since the check.
	 */
	CompletableFuture<@Nullable String> marker();

	/**
	 * Stores the settings of this client on the server, and reads the settings of other
	 * clients in the format of {@link Marker#EXCHANGE}.
	 */
	CompletableFuture<List<String>> exchange(String fingerprint, String settings, Duration lasting);

	/**
	 * Closes all Redis connections of the node.
	 * @return completes when the connections are closed
	 */
	CompletableFuture<Void> close();

}

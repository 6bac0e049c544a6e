package dev.redlock.lettuce.internal.connection;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import dev.redlock.lettuce.internal.facts.ServerFacts;
import dev.redlock.lettuce.internal.restart.DataHistory.KnownServer;
import dev.redlock.lettuce.internal.script.Marker;
import dev.redlock.lettuce.internal.script.ScriptCall;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a node to its Redis server, or to all servers of its cluster. The
 * connection never reconnects. All methods of the connection must be called on the event
 * loop, and their results arrive on the event loop.
 */
public interface NodeConnection {

	Consumer<String> NO_LISTENER = (reason) -> {
	};

	/**
	 * Starts to report events of the connection, on the event loop.
	 * @param lost receives the reason, at most once, when the connection is lost or must
	 * be closed
	 * @param refused receives the errors with which servers answer scripts
	 */
	void start(Consumer<String> lost, Consumer<String> refused);

	/**
	 * @param listener receives the lock key of a channel and each message, or the key and
	 * null when the subscription to its channel has ended
	 */
	void listen(BiConsumer<String, @Nullable String> listener);

	/**
	 * Subscribes to the channel of a lock key; fails if this connection cannot receive
	 * messages.
	 */
	CompletionStage<Void> subscribe(String key);

	void unsubscribe(String key);

	/**
	 * Asks the servers for all facts that decide whether the node may vote on locks, and
	 * loads the scripts.
	 */
	CompletionStage<ServerReport> check(KnownServer known);

	CompletionStage<ServerFacts> readFacts();

	/**
	 * Acquires, extends and releases two test keys that no lock uses.
	 * @return why the servers cannot announce releases, or null if they can
	 */
	CompletionStage<@Nullable String> tryTestLock();

	/**
	 * Runs a script; the stage never fails, because each error becomes a
	 * {@link Vote.Faulted}.
	 */
	CompletionStage<Vote> run(ScriptCall call);

	/**
	 * Whether these lock keys are in several hash slots, so that a failing call may write
	 * only some of them.
	 */
	default boolean splits(List<String> keys) {
		return false;
	}

	/**
	 * Reads the {@link Marker}, the id of the server's data, and extends the ttl of its
	 * key. The result is null if the id is missing or has changed since the last check.
	 */
	CompletableFuture<@Nullable String> marker();

	/**
	 * Stores the settings of this client on the server, and reads the settings of other
	 * clients in the format of {@link Marker#EXCHANGE}.
	 */
	CompletableFuture<List<String>> exchange(String fingerprint, String settings, Duration lasting);

	/**
	 * Closes the connection, which reports no more events.
	 */
	CompletableFuture<Void> close();

}

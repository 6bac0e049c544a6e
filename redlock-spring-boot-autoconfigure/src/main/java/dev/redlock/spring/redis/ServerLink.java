package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

/**
 * The one connection to one server, from its first command to its loss. What is sent
 * through it arrives in the order of the calls, at most once.
 */
final class ServerLink {

	private static final Consumer<String> NOBODY = (message) -> {
	};

	private static final LongPredicate NO_WATCHER = (stepMicros) -> false;

	private final String place;

	private final StatefulRedisConnection<String, String> connection;

	private final OrderedDispatch dispatch;

	private final Ticker ticker;

	private final String clockBound;

	private final String retention;

	private volatile @Nullable LoadedScripts scripts;

	private volatile @Nullable ClockWatch clock;

	/**
	 * Written by the I/O thread only.
	 */
	private volatile int doubts;

	private volatile Consumer<String> errorListener = NOBODY;

	private volatile LongPredicate stepListener = NO_WATCHER;

	/**
	 * A link over a connection that was just made.
	 * @param place the place of the server in its node, which keeps it when it is
	 * restarted
	 */
	ServerLink(String place, StatefulRedisConnection<String, String> connection, NodeSettings settings, Executor thread,
			Ticker ticker) {
		this.place = place;
		this.connection = connection;
		this.ticker = ticker;
		this.dispatch = new OrderedDispatch(connection, thread);
		this.clockBound = Long.toString(settings.clockBoundMicros());
		this.retention = Long.toString(settings.retention().toMillis());
	}

	/**
	 * Runs a script.
	 * @param script the script
	 * @param keys the lock keys
	 * @param token the token, empty if the script needs none
	 * @param millis the ttl, or how long to keep what is released
	 * @param fence the fence
	 */
	CompletableFuture<Vote> run(LockScript script, List<String> keys, String token, long millis, long fence) {
		LoadedScripts loaded = this.scripts;
		if (loaded == null) {
			return CompletableFuture
				.completedFuture(new Faulted(Vote.Fault.UNAVAILABLE, "The server is being checked", false));
		}
		List<String> all = loaded.keys(script, keys);
		CompletableFuture<Vote> vote = send(CommandType.EVALSHA,
				new ScriptArguments(loaded.digest(script), all, token, millis, fence));
		if (script.bound()) {
			return vote;
		}
		return vote.thenCompose((answer) -> {
			if (!(answer instanceof Faulted faulted) || faulted.fault() != Vote.Fault.STALE) {
				return CompletableFuture.completedFuture(answer);
			}
			return send(CommandType.EVAL, new ScriptArguments(loaded.text(script), all, token, millis, fence));
		});
	}

	String place() {
		return this.place;
	}

	RedisAsyncCommands<String, String> commands() {
		return this.connection.async();
	}

	void use(LoadedScripts scripts) {
		this.scripts = scripts;
	}

	/**
	 * Watches the clock of the server from here on.
	 */
	void watch(ClockWatch clock) {
		this.clock = clock;
	}

	void onServerError(Consumer<String> listener) {
		this.errorListener = listener;
	}

	/**
	 * Who is told by how many microseconds the clock stepped, and says whether the server
	 * has to be doubted.
	 */
	void onClockStep(LongPredicate listener) {
		this.stepListener = listener;
	}

	void onLost(Runnable listener) {
		this.connection.addListener(new RedisConnectionStateListener() {

			@Override
			public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
				listener.run();
			}

		});
	}

	/**
	 * Asks for a sign of life.
	 */
	Heartbeat heartbeat() {
		Heartbeat heartbeat = new Heartbeat(this, this.ticker.nanoTime());
		this.dispatch.dispatch(heartbeat);
		return heartbeat;
	}

	/**
	 * Asks for the marker. One that is not the one that was checked is noticed here too,
	 * where nobody asks for a lock.
	 */
	CompletableFuture<@Nullable String> marker(String prefix) {
		return commands().get(Marker.key(prefix)).<@Nullable String>thenApply((id) -> {
			LoadedScripts loaded = this.scripts;
			Marker known = (loaded != null) ? loaded.marker() : null;
			if (known != null && !known.id().equals(id)) {
				refused(ServerErrors.STALE + " its data is not what it was when it was checked");
				return null;
			}
			return id;
		}).exceptionally((ex) -> null).toCompletableFuture();
	}

	CompletableFuture<@Nullable List<String>> exchange(String prefix, String nodeList, Duration lasting) {
		return commands()
			.<List<String>>eval(Membership.SCRIPT, ScriptOutputType.MULTI, new String[] { Marker.clientsKey(prefix) },
					nodeList, Long.toString(lasting.toMillis()))
			.<@Nullable List<String>>thenApply((lines) -> lines)
			.exceptionally((ex) -> null)
			.toCompletableFuture();
	}

	void refused(String error) {
		this.errorListener.accept(error);
	}

	/**
	 * Takes note of the server's time.
	 */
	@SuppressWarnings("NonAtomicVolatileUpdate") // All answers come on one thread.
	void toldTime(long sentNanos, long serverMicros) {
		ClockWatch watch = this.clock;
		long stepMicros = (watch != null) ? watch.told(sentNanos, serverMicros) : 0;
		if (stepMicros != 0 && this.stepListener.test(stepMicros)) {
			this.doubts++;
		}
	}

	/**
	 * How often the time of the server has made it doubtful. What was sent before the
	 * last time and is answered after it comes from a server that was not to vote.
	 */
	int doubts() {
		return this.doubts;
	}

	CompletableFuture<Void> close() {
		this.errorListener = NOBODY;
		this.stepListener = NO_WATCHER;
		return this.connection.closeAsync();
	}

	private CompletableFuture<Vote> send(CommandType type, CommandArgs<String, String> arguments) {
		arguments.add(this.clockBound).add(this.retention);
		ScriptCommand command = new ScriptCommand(this, type, arguments, this.ticker.nanoTime());
		this.dispatch.dispatch(command);
		return command.vote();
	}

}

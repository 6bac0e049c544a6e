package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.output.ValueOutput;
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

	private final Pulse pulse;

	private final ScriptEncoder encoder;

	private final byte[] nodeArguments;

	private final String markerLasts;

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
	ServerLink(String place, StatefulRedisConnection<String, String> connection, NodeSettings settings,
			ScriptEncoder encoder, Scheduler scheduler, Executor thread, Ticker ticker) {
		this.place = place;
		this.connection = connection;
		this.dispatch = new OrderedDispatch(connection, thread);
		this.pulse = new Pulse(scheduler, thread, ticker, settings.overdue());
		this.encoder = encoder;
		this.markerLasts = Long.toString(settings.retention().toMillis());
		this.nodeArguments = new BulkStrings().add(settings.clockBoundMicros())
			.add(settings.counterRetention().toMillis())
			.toBytes();
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
		if (script == LockScript.ACQUIRE && this.pulse.isBehind()) {
			return CompletableFuture.completedFuture(new Faulted(Vote.Fault.TIMEOUT,
					"It has not answered for " + this.pulse.age().toMillis() + " ms", false));
		}
		ScriptArguments arguments = this.encoder.encode(script, keys, loaded.markerKey(script), token, millis, fence);
		ScriptCommand command = new ScriptCommand(this, loaded, script, arguments);
		send(command);
		return command.vote();
	}

	String place() {
		return this.place;
	}

	/**
	 * Asks for something that is not for a lock.
	 */
	<T> CompletableFuture<T> ask(CommandType type, CommandOutput<String, String, T> output, String... arguments) {
		Question<T> question = new Question<>(this.pulse, type, output, arguments);
		send(question);
		return question.answer();
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

	/**
	 * Who is told that the connection was lost, or why it is to be given up; perhaps more
	 * than once.
	 */
	void onLost(Consumer<String> listener) {
		this.connection.addListener(new RedisConnectionStateListener() {

			@Override
			public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
				listener.accept("The connection was lost");
			}

		});
		// A loss that came before fails the first sign of life.
		this.pulse.start(this::heartbeat, listener);
	}

	/**
	 * Asks for a sign of life.
	 */
	void heartbeat() {
		send(new Heartbeat(this, this.pulse));
	}

	/**
	 * Asks for the marker, and makes it last. One that is not the one that was checked is
	 * noticed here too, where nobody asks for a lock.
	 */
	CompletableFuture<@Nullable String> marker(String prefix) {
		ask(CommandType.PEXPIRE, new IntegerOutput<>(StringCodec.UTF8), Marker.key(prefix), this.markerLasts);
		CompletableFuture<@Nullable String> asked = ask(CommandType.GET, new ValueOutput<>(StringCodec.UTF8),
				Marker.key(prefix));
		return asked.<@Nullable String>thenApply((id) -> {
			LoadedScripts loaded = this.scripts;
			Marker known = (loaded != null) ? loaded.marker() : null;
			if (known != null && !known.id().equals(id)) {
				refused(ServerErrors.STALE + " its data is not what it was when it was checked");
				return null;
			}
			return id;
		}).exceptionally((ex) -> null);
	}

	CompletableFuture<@Nullable List<String>> exchange(String prefix, String nodeList, Duration lasting) {
		return ask(CommandType.EVAL, new ValueListOutput<>(StringCodec.UTF8), Membership.SCRIPT, "1",
				Marker.clientsKey(prefix), nodeList, Long.toString(lasting.toMillis()))
			.<@Nullable List<String>>thenApply((lines) -> lines)
			.exceptionally((ex) -> null);
	}

	void send(LinkCommand<?> command) {
		this.dispatch.dispatch(command);
	}

	Pulse pulse() {
		return this.pulse;
	}

	/**
	 * The last arguments of every script, which are always the same.
	 */
	byte[] nodeArguments() {
		return this.nodeArguments;
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
		long stepMicros = (watch != null && serverMicros != 0) ? watch.told(sentNanos, serverMicros) : 0;
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
		// What is answered now must not use up a step that nobody here would hear of.
		this.clock = null;
		this.pulse.stop();
		return this.connection.closeAsync();
	}

}

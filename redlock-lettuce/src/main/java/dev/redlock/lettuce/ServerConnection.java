package dev.redlock.lettuce;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.redlock.lettuce.ConnectionHealth.Sent;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one server. Only the event loop writes to it, so commands arrive in
 * the order of the calls, and at most once. All commands of one event leave in one flush.
 */
final class ServerConnection {

	private static final RedisException TOO_MANY = new RedisException("Request queue size exceeded");

	private final String place;

	private final StatefulRedisConnection<String, String> connection;

	private final EventLoop loop;

	private final ConnectionHealth health;

	private final NodeSettings settings;

	private final ScriptEncoder encoder;

	private final NodeClocks clocks;

	private List<ScriptCommand> unflushed = new ArrayList<>();

	private @Nullable LoadedScripts scripts;

	private int checks;

	/** The scripts that are being loaded again, or null. */
	private @Nullable LoadedScripts forgotten;

	private @Nullable ClockWatch clock;

	private Consumer<String> errorListener = NodeConnection.NO_LISTENER;

	/**
	 * Takes over a connection that Lettuce has just made.
	 * @param place identifies the server within its node, also after a restart
	 */
	ServerConnection(String place, StatefulRedisConnection<String, String> connection, NodeContext context,
			ScriptEncoder encoder, NodeClocks clocks) {
		this.place = place;
		this.connection = connection;
		this.loop = context.loop();
		this.health = new ConnectionHealth(context.loop(), context.ticker(), context.settings().overdue());
		this.settings = context.settings();
		this.encoder = encoder;
		this.clocks = clocks;
	}

	/**
	 * Starts to watch the connection. If it is lost already, the first heartbeat fails.
	 */
	void start(Consumer<String> lost, Consumer<String> refused) {
		this.errorListener = refused;
		this.connection.addListener(new RedisConnectionStateListener() {

			@Override
			public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
				onLoop(ServerConnection.this.health::lost);
			}

		});
		this.health.start(this::heartbeat, lost);
	}

	CompletableFuture<Vote> run(ScriptCall call) {
		LoadedScripts loaded = this.scripts;
		if (loaded == null) {
			return CompletableFuture.completedFuture(LoadedScripts.NOT_LOADED);
		}
		if (call.script() == LockScript.ACQUIRE && this.health.isBehind()) {
			return CompletableFuture.completedFuture(new Faulted(Vote.Fault.TIMEOUT,
					"It has not answered for " + this.health.age().toMillis() + " ms", false));
		}
		if (isFull()) {
			return CompletableFuture.completedFuture(ConnectionErrors.fault(TOO_MANY));
		}
		ScriptArguments arguments = this.encoder.encode(call, loaded.markerKey(call.script()));
		ScriptCommand command = new ScriptCommand(this, loaded, call, arguments);
		send(command);
		return command.vote();
	}

	/**
	 * Sends a command that is not part of a lock operation, behind all that were sent
	 * before. An error of the server fails the stage with a
	 * {@link RedisCommandExecutionException}.
	 */
	<T> CompletableFuture<T> ask(Function<RedisAsyncCommands<String, String>, RedisFuture<T>> command) {
		assert this.loop.inLoop();
		if (isFull()) {
			return CompletableFuture.failedFuture(TOO_MANY);
		}
		flush();
		Sent sent = this.health.sent(null);
		CompletableFuture<T> answer = new CompletableFuture<>();
		command.apply(this.connection.async())
			.whenComplete((result, failure) -> onLoop(() -> complete(answer, sent, result, failure)));
		return answer;
	}

	/**
	 * Runs a script that answers with texts.
	 */
	CompletableFuture<List<String>> eval(String script, List<String> keys, List<String> arguments) {
		return ask((redis) -> redis.eval(script, ScriptOutputType.MULTI, keys.toArray(String[]::new),
				arguments.toArray(String[]::new)));
	}

	/**
	 * Calls a script that was loaded. An error fails the stage and is not reported.
	 */
	CompletableFuture<List<Object>> tryOut(ScriptCall call) {
		LoadedScripts loaded = this.scripts;
		if (loaded == null) {
			return CompletableFuture.completedFuture(List.of());
		}
		List<String> keys = call.allKeys(loaded.markerKey(call.script()));
		return ask((redis) -> redis.evalsha(loaded.digest(call.script()), ScriptOutputType.MULTI,
				keys.toArray(String[]::new), call.arguments(this.settings).toArray(String[]::new)));
	}

	/**
	 * Begins a check, during which the node does not vote.
	 */
	void checkBegins() {
		this.checks++;
	}

	/**
	 * Returns how many checks have begun so far.
	 */
	int checks() {
		return this.checks;
	}

	/**
	 * Whether a release of a key of this call is on its way.
	 */
	boolean releases(ScriptCall call) {
		return this.health.awaitsReleaseOf(call);
	}

	/**
	 * Loads scripts again that the server does not know any more, if it is still the same
	 * process. Otherwise reports the error.
	 */
	void forgot(LoadedScripts forgotten, String error) {
		if (this.forgotten == forgotten) {
			return;
		}
		this.forgotten = forgotten;
		eval(ServerFacts.RUN_ID_SCRIPT, List.of(), List.of()).thenCompose((runId) -> {
			boolean same = runId.equals(List.of(forgotten.runId()));
			return same ? load(forgotten) : CompletableFuture.failedFuture(new IllegalStateException(error));
		}).whenComplete((loaded, failure) -> {
			this.forgotten = null;
			if (failure != null) {
				refused(error);
			}
		});
	}

	CompletableFuture<Void> load(LoadedScripts loaded) {
		return CompletableFuture.allOf(Stream.of(LockScript.values())
			.map((script) -> ask((redis) -> redis.scriptLoad(loaded.text(script))))
			.toArray(CompletableFuture[]::new));
	}

	/**
	 * Sends a call of a script, in one flush with the others of this event.
	 */
	void send(ScriptCommand command) {
		assert this.loop.inLoop();
		this.unflushed.add(command);
		if (this.unflushed.size() == 1 && !this.loop.post(this::flush)) {
			// The loop has ended. The closed connection refuses the commands.
			flush();
		}
	}

	/**
	 * Notes a script call that is sent now.
	 */
	Sent sent(ScriptCall call) {
		return this.health.sent(call);
	}

	/**
	 * Notes that a command has ended. If the server may have run it without an answer,
	 * the answer may still come and would be taken for that of the next command, so the
	 * connection must be closed.
	 * @param failure the reason why there is no answer, or null if there is one
	 */
	void ended(Sent sent, @Nullable Throwable failure) {
		if (failure == null) {
			this.health.answered(sent);
			return;
		}
		this.health.withdrawn(sent);
		if (ConnectionErrors.fault(failure).mayHaveRun()) {
			this.health.lost();
		}
	}

	/**
	 * Runs an event on the loop, because the connection may have a thread of its own.
	 */
	void onLoop(Runnable event) {
		HelperThreads.post(this.loop, event);
	}

	String place() {
		return this.place;
	}

	void use(LoadedScripts loaded) {
		this.scripts = loaded;
	}

	/**
	 * Watches the clock of the server from now on.
	 */
	void watch(ClockWatch watch) {
		this.clock = watch;
	}

	/**
	 * Compares the server's time with the times before, to notice a step of its clock.
	 */
	void observeTime(long sentNanos, long serverMicros) {
		this.clocks.observe(this.clock, sentNanos, serverMicros);
	}

	/**
	 * Observes the time in a vote, as {@link NodeClocks#judge} does.
	 */
	Vote judge(Vote vote, long sentNanos, int doubtsBefore) {
		return this.clocks.judge(vote, this.clock, sentNanos, doubtsBefore);
	}

	/**
	 * Returns how many clock steps made a check necessary so far. An answer does not
	 * count if the number changed between the command and the answer.
	 */
	int doubts() {
		return this.clocks.doubts();
	}

	void refused(String error) {
		this.errorListener.accept(error);
	}

	/**
	 * Reads the marker and renews its ttl. Notices a marker that is not the one of the
	 * last check, even while there are no lock operations.
	 */
	CompletableFuture<@Nullable String> marker() {
		String key = Marker.key(this.settings.keyPrefix());
		ask((redis) -> redis.pexpire(key, this.settings.retention()));
		CompletableFuture<@Nullable String> asked = ask((redis) -> redis.get(key));
		return asked.<@Nullable String>thenApply((id) -> {
			if (this.scripts != null && !this.scripts.areFor(id)) {
				refused(Marker.CHANGED);
				return null;
			}
			return id;
		});
	}

	CompletableFuture<Void> close() {
		this.errorListener = NodeConnection.NO_LISTENER;
		// Late answers must not use up a step that nobody reports any more.
		this.clock = null;
		this.health.stop();
		return this.connection.closeAsync();
	}

	/**
	 * Asks the server for its time. Even an error shows that the server is alive.
	 */
	void heartbeat() {
		long sentNanos = this.health.now();
		ask(RedisAsyncCommands::time).whenComplete((time, failure) -> {
			if (time != null && time.size() == 2) {
				observeTime(sentNanos, Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1)));
			}
			else if (failure != null && !(failure instanceof RedisCommandExecutionException)) {
				this.health.lost();
			}
		});
	}

	private boolean isFull() {
		return this.health.unanswered() >= NodeSettings.LONGEST_QUEUE;
	}

	private <T> void complete(CompletableFuture<T> answer, Sent sent, @Nullable T result, @Nullable Throwable failure) {
		boolean answered = failure == null || failure instanceof RedisCommandExecutionException;
		Throwable cause = (failure instanceof CancellationException) ? ConnectionErrors.CLOSED : failure;
		ended(sent, answered ? null : cause);
		if (cause != null) {
			answer.completeExceptionally(cause);
		}
		else {
			answer.complete(result);
		}
	}

	private void flush() {
		if (this.unflushed.isEmpty()) {
			return;
		}
		List<ScriptCommand> commands = this.unflushed;
		this.unflushed = new ArrayList<>();
		try {
			if (commands.size() == 1) {
				this.connection.dispatch(commands.get(0));
			}
			else {
				this.connection.dispatch(commands);
			}
		}
		catch (RuntimeException ex) {
			commands.forEach((command) -> command.completeExceptionally(ex));
		}
	}

}

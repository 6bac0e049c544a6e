package dev.redlock.lettuce.internal.connection;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.redlock.lettuce.internal.clock.ClockWatch;
import dev.redlock.lettuce.internal.clock.NodeClocks;
import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.connection.ConnectionHealth.Sent;
import dev.redlock.lettuce.internal.facts.ConnectionErrors;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.facts.ServerErrors;
import dev.redlock.lettuce.internal.facts.ServerFacts;
import dev.redlock.lettuce.internal.script.BoundScripts;
import dev.redlock.lettuce.internal.script.LockScript;
import dev.redlock.lettuce.internal.script.Marker;
import dev.redlock.lettuce.internal.script.ScriptCall;
import dev.redlock.lettuce.internal.script.ScriptCommand;
import dev.redlock.lettuce.internal.script.ScriptEncoder;
import dev.redlock.lettuce.internal.script.ScriptReply;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.push.PushListener;
import io.lettuce.core.api.push.PushMessage;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolVersion;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a node to one server. Only the event loop sends commands, in the
 * order of the calls. A command runs at most once: a script is sent again, as text, only
 * if the server did not know it.
 * <p>
 * If the server answers a command with an error, the command's stage fails with a
 * {@link RedisCommandExecutionException}. If the server gives no answer, the command's
 * stage fails with an exception of another class than
 * {@code RedisCommandExecutionException}.
 */
public final class ServerConnection {

	private static final String LOST = "the connection was closed";

	private static final UnsupportedOperationException NO_RESP3 = new UnsupportedOperationException(
			"The server, or a proxy in front of it, does not speak RESP3 (HELLO 3)");

	private static final IllegalStateException NOT_SKIPPED = new IllegalStateException(
			"The server, or a proxy in front of it, answers CLIENT REPLY SKIP");

	private static final RedisException TOO_MANY = new RedisException("Request queue size exceeded");

	private final String place;

	private final String address;

	private final StatefulRedisConnection<String, String> connection;

	private final ConnectionHealth health;

	private final ScriptEncoder encoder;

	private final NodeClocks clocks;

	private final EventLoop loop;

	private final Ticker ticker;

	private final NodeSettings settings;

	private Consumer<String> lossListener = NodeConnection.NO_LISTENER;

	private Consumer<String> errorListener = NodeConnection.NO_LISTENER;

	private List<ScriptCommand> unflushed = new ArrayList<>();

	private @Nullable BoundScripts scripts;

	private @Nullable BoundScripts reloading;

	/**
	 * Completes with the answer to the first command of the last check.
	 */
	private CompletableFuture<String> checkBegun = CompletableFuture.completedFuture("");

	private boolean alive = true;

	/**
	 * Why the server may refuse {@code CLIENT REPLY SKIP}, according to the last check.
	 */
	private @Nullable Throwable skipRefused;

	/**
	 * The channel of the last subscription that the server confirmed.
	 */
	private @Nullable String subscribed;

	private @Nullable ClockWatch clock;

	private long lastAskedNanos;

	private long lastServerMicros;

	/**
	 * @param place identifies the server within the node, even after a restart of the
	 * server
	 */
	public ServerConnection(String place, String address, StatefulRedisConnection<String, String> connection,
			NodeContext context, ScriptEncoder encoder, NodeClocks clocks) {
		this.place = place;
		this.address = address;
		this.connection = connection;
		this.encoder = encoder;
		this.clocks = clocks;
		this.loop = context.loop();
		this.ticker = context.ticker();
		this.settings = context.settings();
		this.health = new ConnectionHealth(this.loop, this.ticker, this.settings.overdue(), this::lost);
	}

	public void start(Consumer<String> lost, Consumer<String> refused) {
		this.lossListener = lost;
		this.errorListener = refused;
		this.connection.addListener(new RedisConnectionStateListener() {

			@Override
			public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
				onLoop(() -> lost(LOST));
			}

		});
	}

	public CompletableFuture<Vote> run(ScriptCall call) {
		BoundScripts loaded = this.scripts;
		if (loaded == null) {
			return CompletableFuture.completedFuture(BoundScripts.NOT_LOADED);
		}
		boolean begins = call.script().begins();
		if (begins && this.health.isBehind()) {
			return CompletableFuture.completedFuture(new Faulted(Vote.Fault.TIMEOUT,
					"The server has not answered for " + TimeUnit.NANOSECONDS.toMillis(this.health.waitNanos()) + " ms",
					false));
		}
		// Attempts to acquire a lock may use half of the command queue, so that held
		// locks can still be extended and released.
		if (this.health.unanswered() >= (begins ? NodeSettings.LONGEST_QUEUE / 2 : NodeSettings.LONGEST_QUEUE)) {
			return CompletableFuture.completedFuture(ConnectionErrors.fault(TOO_MANY));
		}
		Asked asked = new Asked(call, loaded, this.ticker.nanoTime(), this.clocks.forwardSteps(),
				new CompletableFuture<>());
		runScript(asked, false);
		return asked.vote;
	}

	public void listen(BiConsumer<String, @Nullable String> listener) {
		this.connection.addListener((PushListener) (push) -> onLoop(() -> pushed(push, listener)));
	}

	/**
	 * Begins or ends the subscription to a channel, which needs RESP3 because the
	 * connection also carries commands. The future fails unless the server confirms that
	 * the client is subscribed.
	 */
	public CompletableFuture<Void> onChannel(CommandType command, String channel) {
		ProtocolVersion spoken = ((StatefulRedisConnectionImpl<?, ?>) this.connection).getConnectionState()
			.getNegotiatedProtocolVersion();
		if (spoken != ProtocolVersion.RESP3) {
			return CompletableFuture.failedFuture(NO_RESP3);
		}
		if (this.skipRefused != null) {
			return CompletableFuture.failedFuture(this.skipRefused);
		}
		CompletableFuture<Void> confirmed = new CompletableFuture<>();
		this.<List<String>>ask((redis) -> redis.dispatch(CommandType.CLIENT, new ValueListOutput<>(StringCodec.UTF8),
				new ChannelArguments(command, channel)))
			.whenComplete((time, failure) -> {
				Throwable why = failure;
				if (failure instanceof RedisCommandExecutionException) {
					// The server gives more than one answer, so each later answer would
					// be taken for the answer to another command.
					lost(ServerErrors.fault(String.valueOf(failure.getMessage())).detail());
				}
				else if (failure instanceof UnsupportedOperationException) {
					why = NOT_SKIPPED;
				}
				else if (failure == null && !channel.equals(this.subscribed)) {
					why = new UnsupportedOperationException(notConfirmed(command));
				}
				this.subscribed = null;
				complete(confirmed, null, why);
			});
		return confirmed;
	}

	public <T> CompletableFuture<T> ask(Function<RedisAsyncCommands<String, String>, RedisFuture<T>> command) {
		assert this.loop.inLoop();
		if (this.health.unanswered() >= NodeSettings.LONGEST_QUEUE) {
			return CompletableFuture.failedFuture(TOO_MANY);
		}
		flush();
		Sent sent = this.health.sent(null);
		CompletableFuture<T> answer = new CompletableFuture<>();
		whenAnswered(command.apply(this.connection.async()), sent,
				(result, failure) -> complete(answer, result, failure));
		return answer;
	}

	public CompletableFuture<List<String>> eval(String script, List<String> keys, List<String> arguments) {
		return ask((redis) -> redis.eval(script, ScriptOutputType.MULTI, keys.toArray(String[]::new),
				arguments.toArray(String[]::new)));
	}

	/**
	 * Ends the life of the connection, before Lettuce closes it. From now on, no listener
	 * hears of the connection, and late answers count for nothing.
	 */
	public void stop() {
		this.alive = false;
		this.health.stop();
	}

	/**
	 * Runs a test script, and reports an error only through the returned future.
	 */
	public CompletableFuture<?> tryOut(ScriptCall call) {
		BoundScripts loaded = this.scripts;
		if (loaded == null) {
			return CompletableFuture.completedFuture(null);
		}
		CompletableFuture<ScriptReply> answer = new CompletableFuture<>();
		send(call, loaded, false, (reply, failure) -> complete(answer, reply, failure));
		return answer;
	}

	public void checkBegins() {
		this.checkBegun = ask((redis) -> redis.dispatch(CommandType.CLIENT, new StatusOutput<>(StringCodec.UTF8),
				new CommandArgs<>(StringCodec.UTF8).add("REPLY").add("ON")));
		this.checkBegun.whenComplete((answer, refusal) -> this.skipRefused = refusal);
	}

	public CompletableFuture<Void> use(BoundScripts loaded) {
		// Every later command is sent after the commands that load the scripts.
		this.scripts = loaded;
		return loadAll(loaded);
	}

	/**
	 * Reads the id of the server's data ({@link Marker}), to notice a data loss even if
	 * no lock is used.
	 */
	public CompletableFuture<@Nullable String> marker() {
		CompletableFuture<List<String>> asked = eval(Marker.READ, List.of(Marker.key(this.settings.keyPrefix())),
				List.of(Long.toString(this.settings.retention().toMillis())));
		return asked.<@Nullable String>thenApply((answer) -> {
			String id = answer.get(0);
			if (this.scripts != null && !this.scripts.acceptMarker(id)) {
				refused(Marker.CHANGED);
				return null;
			}
			return id.isEmpty() ? null : id;
		});
	}

	public String place() {
		return this.place;
	}

	public void watch(ClockWatch watch) {
		this.clock = watch;
		observeTime(this.lastAskedNanos, this.lastServerMicros);
	}

	public void observeTime(long askedNanos, long serverMicros) {
		this.lastAskedNanos = askedNanos;
		this.lastServerMicros = serverMicros;
		this.clocks.observe(this.clock, askedNanos, serverMicros);
	}

	private void lost(String why) {
		if (this.alive) {
			this.alive = false;
			this.lossListener.accept("The connection to " + this.address + " was lost (" + why
					+ "). Check that this server runs and can be reached");
		}
	}

	private void refused(String error) {
		if (this.alive) {
			this.errorListener.accept(error);
		}
	}

	private void pushed(PushMessage push, BiConsumer<String, @Nullable String> listener) {
		if (!this.alive) {
			return;
		}
		List<Object> parts = push.getContent(StringCodec.UTF8::decodeValue);
		String type = push.getType();
		if (type.endsWith("message")) {
			listener.accept((String) parts.get(1), (String) parts.get(2));
		}
		else if (type.endsWith("unsubscribe")) {
			listener.accept((String) parts.get(1), null);
		}
		else if (type.endsWith("subscribe")) {
			this.subscribed = (String) parts.get(1);
		}
	}

	private void runScript(Asked asked, boolean asText) {
		send(asked.call, asked.scripts, asText, (reply, failure) -> {
			if (reply != null) {
				scriptAnswered(asked, reply);
			}
			else if (failure instanceof RedisCommandExecutionException) {
				scriptRefused(asked, asText, String.valueOf(failure.getMessage()));
			}
			else {
				asked.vote.complete(ConnectionErrors.fault(Objects.requireNonNull(failure)));
			}
		});
	}

	private void scriptAnswered(Asked asked, ScriptReply reply) {
		if (reply.isUnannounced()) {
			refused(ServerErrors.UNANNOUNCED);
		}
		this.clocks.complete(asked.vote, reply.vote(), asked.call.script() == LockScript.EXTEND, this.clock,
				asked.nanos, asked.steps);
	}

	/**
	 * Sends the text of the script once if the server does not know its digest, unless a
	 * command that was sent later forbids it.
	 */
	private void scriptRefused(Asked asked, boolean asText, String error) {
		if (asText || !ServerErrors.is(ServerErrors.NOSCRIPT, error)) {
			refused(error);
			asked.vote.complete(ServerErrors.fault(error));
			return;
		}
		loadAgain(asked.scripts, error);
		if (mayRunLater(asked.call)) {
			runScript(asked, true);
		}
		else {
			asked.vote.complete(ServerErrors.fault(error));
		}
	}

	/**
	 * Whether an answered call may run again, behind all commands that were sent after
	 * it. The server answers in order, so none of these commands has an answer yet. A
	 * script that writes locks must not run behind a check of the server, or behind a
	 * release of the same keys of the same token.
	 */
	private boolean mayRunLater(ScriptCall call) {
		return !call.script().bound() || (this.checkBegun.isDone() && !this.health.awaitsReleaseOf(call));
	}

	/**
	 * @param asText whether to send the text of the script instead of its digest
	 */
	private void send(ScriptCall call, BoundScripts loaded, boolean asText,
			BiConsumer<@Nullable ScriptReply, @Nullable Throwable> listener) {
		assert this.loop.inLoop();
		ScriptCommand command = new ScriptCommand(loaded.start(call.script(), asText),
				this.encoder.encode(call, loaded.markerKey(call.script())));
		whenAnswered(command.reply(), this.health.sent(call), listener);
		this.unflushed.add(command);
		if (this.unflushed.size() == 1 && !this.loop.post(this::flush)) {
			// If the event loop has ended, the closed connection refuses the commands.
			flush();
		}
	}

	/**
	 * Loads the scripts again, unless another server process answers.
	 */
	private void loadAgain(BoundScripts unknown, String error) {
		if (this.reloading == unknown) {
			return;
		}
		this.reloading = unknown;
		eval(ServerFacts.RUN_ID_SCRIPT, List.of(), List.of()).thenCompose((runId) -> {
			boolean same = runId.equals(List.of(unknown.runId()));
			return same ? loadAll(unknown) : CompletableFuture.failedFuture(new IllegalStateException(error));
		}).whenComplete((loaded, failure) -> {
			this.reloading = null;
			if (failure != null) {
				refused(error);
			}
		});
	}

	private String notConfirmed(CommandType command) {
		boolean sharded = command == CommandType.SSUBSCRIBE;
		return "The server did not confirm " + command + ": it is older than Redis 7.0.10, "
				+ (sharded ? "the hash slot has moved, " : "") + "or the Redis user lacks +"
				+ command.name().toLowerCase(Locale.ROOT) + " or &" + this.settings.keyPrefix() + "*";
	}

	private CompletableFuture<Void> loadAll(BoundScripts loaded) {
		return CompletableFuture.allOf(Stream.of(LockScript.values())
			.map((script) -> ask((redis) -> redis.scriptLoad(loaded.text(script))))
			.toArray(CompletableFuture[]::new));
	}

	/**
	 * A command that may have run but got no answer, or one that cannot be read, closes
	 * the connection. A late answer would be taken for the answer to the next command.
	 */
	private <T> void whenAnswered(CompletionStage<T> command, Sent sent,
			BiConsumer<@Nullable T, @Nullable Throwable> listener) {
		command.whenComplete((result, failure) -> onLoop(() -> {
			boolean answered = failure == null || failure instanceof RedisCommandExecutionException;
			if (answered && this.alive) {
				this.health.answered(sent);
				listener.accept(result, failure);
				return;
			}
			Throwable cause = (answered || failure instanceof CancellationException) ? ConnectionErrors.CLOSED
					: failure;
			this.health.failed(sent);
			if (ConnectionErrors.fault(cause).mayHaveRun()) {
				lost((cause == ConnectionErrors.CLOSED) ? LOST : ConnectionErrors.describe(cause));
			}
			listener.accept(null, cause);
		}));
	}

	private static <T> void complete(CompletableFuture<T> answer, @Nullable T result, @Nullable Throwable failure) {
		if (failure != null) {
			answer.completeExceptionally(failure);
		}
		else {
			answer.complete(result);
		}
	}

	private void onLoop(Runnable event) {
		HelperThreads.post(this.loop, event);
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

	/**
	 * A script call that waits for the answer of the server.
	 *
	 * @param steps how many forward clock steps had led to a check of the node before the
	 * call
	 */
	private record Asked(ScriptCall call, BoundScripts scripts, long nanos, int steps, CompletableFuture<Vote> vote) {

	}

}

package dev.redlock.lettuce;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.redlock.lettuce.ConnectionHealth.Sent;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import io.lettuce.core.KillArgs;
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
 * A connection of Lettuce that belongs to the node alone. Only the event loop writes to
 * it. All commands of one event leave in one flush.
 */
final class LettuceServerConnection extends ServerConnection {

	private static final String LOST = "The connection was lost";

	private static final RedisException TOO_MANY = new RedisException("Request queue size exceeded");

	private final StatefulRedisConnection<String, String> connection;

	private final ConnectionHealth health;

	private final ScriptEncoder encoder;

	private List<ScriptCommand> unflushed = new ArrayList<>();

	/**
	 * Takes over a connection that Lettuce has just made.
	 * @param place identifies the server within its node, also after a restart
	 */
	LettuceServerConnection(String place, StatefulRedisConnection<String, String> connection, NodeContext context,
			ScriptEncoder encoder, NodeClocks clocks) {
		super(place, context, clocks);
		this.connection = connection;
		this.health = new ConnectionHealth(context.loop(), context.ticker(), context.settings().overdue(), this::lost);
		this.encoder = encoder;
	}

	/**
	 * If the connection is lost already, the first command fails.
	 */
	@Override
	void start(Consumer<String> lost, Consumer<String> refused) {
		super.start(lost, refused);
		this.connection.addListener(new RedisConnectionStateListener() {

			@Override
			public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
				onLoop(() -> lost(LOST));
			}

		});
	}

	@Override
	CompletableFuture<Vote> run(LoadedScripts loaded, ScriptCall call) {
		if (call.script() == LockScript.ACQUIRE && this.health.isBehind()) {
			return CompletableFuture.completedFuture(new Faulted(Vote.Fault.TIMEOUT,
					"It has not answered for " + TimeUnit.NANOSECONDS.toMillis(this.health.ageNanos()) + " ms", false));
		}
		if (isFull()) {
			return CompletableFuture.completedFuture(ConnectionErrors.fault(TOO_MANY));
		}
		ScriptArguments arguments = this.encoder.encode(call, loaded.markerKey(call.script()));
		ScriptCommand command = new ScriptCommand(this, loaded, call, arguments);
		send(command);
		return command.vote();
	}

	@Override
	CompletableFuture<Map<String, String>> info() {
		return this.<String>ask(RedisAsyncCommands::info).thenApply(ServerFacts::fields);
	}

	@Override
	CompletableFuture<Map<String, String>> config(String pattern) {
		return ask((redis) -> redis.configGet(pattern));
	}

	@Override
	CompletableFuture<List<String>> eval(String script, List<String> keys, List<String> arguments) {
		return ask((redis) -> redis.eval(script, ScriptOutputType.MULTI, keys.toArray(String[]::new),
				arguments.toArray(String[]::new)));
	}

	@Override
	CompletableFuture<?> evalsha(String digest, List<String> keys, List<String> arguments) {
		return ask((redis) -> redis.evalsha(digest, ScriptOutputType.MULTI, keys.toArray(String[]::new),
				arguments.toArray(String[]::new)));
	}

	@Override
	CompletableFuture<?> load(String script) {
		return ask((redis) -> redis.scriptLoad(script));
	}

	@Override
	boolean takesListsOnly() {
		return false;
	}

	@Override
	CompletableFuture<Long> clientId() {
		return ask(RedisAsyncCommands::clientId);
	}

	@Override
	CompletableFuture<?> kill(long clientId) {
		return ask((redis) -> redis.clientKill(KillArgs.Builder.id(clientId)));
	}

	@Override
	void stop() {
		super.stop();
		this.health.stop();
	}

	@Override
	CompletableFuture<Void> close() {
		return this.connection.closeAsync();
	}

	/**
	 * Whether a release of a key of this call is on its way.
	 */
	boolean releases(ScriptCall call) {
		return this.health.awaitsReleaseOf(call);
	}

	/**
	 * Sends a call of a script, in one flush with the others of this event.
	 */
	void send(ScriptCommand command) {
		assert loop().inLoop();
		this.unflushed.add(command);
		if (this.unflushed.size() == 1 && !loop().post(this::flush)) {
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
			lost(LOST);
		}
	}

	/**
	 * Runs an event on the loop, because the connection may have a thread of its own.
	 */
	void onLoop(Runnable event) {
		HelperThreads.post(loop(), event);
	}

	/**
	 * Sends a command that is not part of a lock operation, behind all that were sent
	 * before.
	 */
	private <T> CompletableFuture<T> ask(Function<RedisAsyncCommands<String, String>, RedisFuture<T>> command) {
		assert loop().inLoop();
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

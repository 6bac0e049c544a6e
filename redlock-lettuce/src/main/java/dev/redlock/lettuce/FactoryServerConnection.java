package dev.redlock.lettuce;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.ReturnType;

/**
 * A connection of a factory of the application. Commands run one after the other on the
 * node's own thread, which they block, and their answers are posted to the loop. A broken
 * connection is noticed only when it is used, and commands that a former connection still
 * carries cannot be stopped.
 */
final class FactoryServerConnection extends ServerConnection {

	/** The places in the queue of the thread that lock operations leave free. */
	private static final int RESERVED_FOR_CHECKS = 100;

	private static final Faulted TOO_MANY = new Faulted(Fault.UNAVAILABLE,
			"Too many operations wait for the server, or it was closed", false);

	private static final Faulted NOT_SENT = new Faulted(Fault.UNAVAILABLE,
			"The server is being checked, or its connection was given up", false);

	private final RedisConnection connection;

	private final ThreadPoolExecutor worker;

	/** The worker reads it, because an operation may wait long for its turn. */
	private volatile boolean closed;

	FactoryServerConnection(RedisConnection connection, ThreadPoolExecutor worker, NodeContext context,
			NodeClocks clocks) {
		super("", context, clocks);
		this.connection = connection;
		this.worker = worker;
	}

	@Override
	CompletableFuture<Vote> run(LoadedScripts loaded, ScriptCall call) {
		if (this.worker.getQueue().remainingCapacity() <= RESERVED_FOR_CHECKS) {
			return CompletableFuture.completedFuture(TOO_MANY);
		}
		// The scripts are taken now and not by the worker: while this waits, another
		// server may take the place of the one that was checked.
		int doubts = doubts();
		int checks = checks();
		return work(() -> {
			long sentNanos = now();
			return new Answer(mayRun(call, checks) ? runNow(loaded, call, checks) : NOT_SENT, sentNanos);
		}).handle((answer, failure) -> (failure != null) ? fault(failure) : vote(call, answer, doubts));
	}

	@Override
	CompletableFuture<Map<String, String>> info() {
		return ask((redis) -> map(redis.serverCommands().info()));
	}

	@Override
	CompletableFuture<Map<String, String>> config(String pattern) {
		return ask((redis) -> map(redis.serverCommands().getConfig(pattern)));
	}

	@Override
	CompletableFuture<List<String>> eval(String script, List<String> keys, List<String> arguments) {
		return ask((redis) -> {
			List<Object> reply = redis.scriptingCommands()
				.eval(bytes(script), ReturnType.MULTI, keys.size(), bytes(keys, arguments));
			return (reply != null)
					? reply.stream().map((part) -> new String((byte[]) part, StandardCharsets.UTF_8)).toList()
					: List.of();
		});
	}

	@Override
	CompletableFuture<?> evalsha(String digest, List<String> keys, List<String> arguments) {
		return ask((redis) -> redis.scriptingCommands()
			.evalSha(digest, ReturnType.MULTI, keys.size(), bytes(keys, arguments)));
	}

	@Override
	CompletableFuture<?> load(String script) {
		return ask((redis) -> redis.scriptingCommands().scriptLoad(bytes(script)));
	}

	/**
	 * Drivers must know the type of an answer beforehand.
	 */
	@Override
	boolean takesListsOnly() {
		return true;
	}

	/**
	 * If the worker takes no more work, another thread closes the connection. Otherwise
	 * the pool of the application would have one connection less.
	 */
	@Override
	CompletableFuture<Void> close() {
		this.closed = true;
		CompletableFuture<Void> done = new CompletableFuture<>();
		Runnable closing = () -> {
			try {
				this.connection.close();
			}
			finally {
				done.complete(null);
			}
		};
		try {
			this.worker.execute(closing);
		}
		catch (RejectedExecutionException ex) {
			Thread thread = new Thread(closing, "redlock-close");
			thread.setDaemon(true);
			thread.start();
		}
		return done;
	}

	private boolean mayRun(ScriptCall call, int checksBefore) {
		return !this.closed && (!call.script().bound() || checks() == checksBefore);
	}

	/**
	 * Sends the whole script if the server does not know it.
	 */
	private Vote runNow(LoadedScripts loaded, ScriptCall call, int checksBefore) {
		LockScript script = call.script();
		List<String> keys = call.allKeys(loaded.markerKey(script));
		byte[][] keysAndArguments = bytes(keys, call.arguments(settings()));
		try {
			return vote(call, this.connection.scriptingCommands()
				.evalSha(loaded.digest(script), ReturnType.MULTI, keys.size(), keysAndArguments));
		}
		catch (DataAccessException ex) {
			String error = ConnectionErrors.describe(ex);
			if (!ServerErrors.isNoScript(error) || !mayRun(call, checksBefore)) {
				throw ex;
			}
			Vote vote = vote(call, this.connection.scriptingCommands()
				.eval(bytes(loaded.wholeText(script)), ReturnType.MULTI, keys.size(), keysAndArguments));
			HelperThreads.post(loop(), () -> forgot(loaded, error));
			return vote;
		}
	}

	private Vote vote(ScriptCall call, Answer answer, int doubtsBefore) {
		if (this.closed && call.script().bound() && answer.vote() != NOT_SENT) {
			return new Faulted(Fault.UNAVAILABLE, "The connection was given up meanwhile", true);
		}
		return judge(answer.vote(), answer.sentNanos(), doubtsBefore);
	}

	private Vote fault(Throwable failure) {
		if (failure instanceof RejectedExecutionException) {
			return TOO_MANY;
		}
		String error = ConnectionErrors.describe(failure);
		if (!ServerErrors.isFromServer(error)) {
			lost(error);
			return new Faulted(Fault.UNAVAILABLE, "The connection was lost: " + error, true);
		}
		refused(error);
		return ServerErrors.fault(error);
	}

	private <T extends @Nullable Object> CompletableFuture<T> ask(Function<RedisConnection, T> command) {
		return work(() -> {
			if (this.closed) {
				throw ConnectionErrors.CLOSED;
			}
			if (this.connection instanceof RedisClusterConnection) {
				throw UnfitServerException.because("It is a cluster, which only a node with cluster settings of its "
						+ "own can use. Replace connection-factory by cluster.nodes.");
			}
			return command.apply(this.connection);
		});
	}

	private <T extends @Nullable Object> CompletableFuture<T> work(Supplier<T> question) {
		return HelperThreads.call(this.worker, loop(), () -> {
			try {
				return question.get();
			}
			catch (RuntimeException ex) {
				throw translated(ex);
			}
		});
	}

	/**
	 * Returns the exception that Lettuce would have thrown. Each driver has its own.
	 */
	private static RuntimeException translated(RuntimeException failure) {
		if (failure instanceof UnfitServerException || ConnectionErrors.credentials(failure) != null) {
			return failure;
		}
		String error = ConnectionErrors.describe(failure);
		return ServerErrors.isFromServer(error) ? new RedisCommandExecutionException(error)
				: new RedisException(ConnectionErrors.whyNotConnected(failure));
	}

	private static Vote vote(ScriptCall call, @Nullable List<Object> reply) {
		List<Object> list = Objects.requireNonNull(reply, "A script answered with no list");
		String holder = (list.size() > 3 && list.get(3) instanceof byte[] value)
				? new String(value, StandardCharsets.UTF_8) : null;
		return ScriptReply.of(call, list.size(), number(list, 0), number(list, 1), number(list, 2), holder);
	}

	private static long number(List<?> list, int index) {
		return (index < list.size()) ? (Long) list.get(index) : 0;
	}

	private static Map<String, String> map(@Nullable Properties properties) {
		Map<String, String> fields = new HashMap<>();
		if (properties != null) {
			properties.stringPropertyNames().forEach((name) -> fields.put(name, properties.getProperty(name, "")));
		}
		return fields;
	}

	private static byte[][] bytes(List<String> keys, List<String> arguments) {
		return Stream.concat(keys.stream(), arguments.stream())
			.map(FactoryServerConnection::bytes)
			.toArray(byte[][]::new);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private record Answer(Vote vote, long sentNanos) {

	}

}

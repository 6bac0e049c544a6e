package dev.redlock.lettuce;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import dev.redlock.lettuce.DataHistory.KnownLife;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;

/**
 * The blocking commands of a node over a connection factory of the application. One
 * thread uses it at a time.
 */
final class FactoryConnection implements AutoCloseable {

	private final RedisConnection connection;

	private final NodeContext context;

	private final NodeSettings settings;

	FactoryConnection(RedisConnectionFactory factory, NodeContext context) {
		this.connection = factory.getConnection();
		this.context = context;
		this.settings = context.settings();
	}

	/**
	 * Asks the server everything that decides whether the node may vote, and loads the
	 * scripts.
	 */
	Checked check(KnownLife known) {
		if (this.connection instanceof RedisClusterConnection) {
			throw UnfitServerException.because("It is a cluster, which only a node with cluster settings of its own "
					+ "can use. Replace connection-factory by cluster.nodes.");
		}
		MissingRights missing = missingRights();
		Looked looked = look();
		ServerFacts facts = looked.facts().orRefuse(false, runId());
		DataHistory history = history(facts, known);
		LoadedScripts loaded = LoadedScripts.answeringWithLists(facts.runId(),
				(history != null) ? history.marker() : null);
		load(loaded);
		if (facts.unfitBecause() == null) {
			run(loaded, RightsCheck.claim(this.settings.keyPrefix()), () -> false);
		}
		return new Checked(looked, new ServerReport(facts, history, missing), loaded);
	}

	/**
	 * Asks the server for its facts only.
	 */
	Looked look() {
		long sentNanos = this.context.ticker().nanoTime();
		Map<String, String> info = info();
		ServerFacts facts = ServerFacts.of(info, ServerFacts.isAppendOnly(info) ? appendFsync() : null);
		return new Looked(facts.declared(this.context.keepsAcknowledgedWrites()), sentNanos,
				ServerFacts.timeMicros(info));
	}

	/**
	 * Returns the optional rights that the user lacks. Throws an
	 * {@link UnfitServerException} if it lacks a required one. Tries a claim too.
	 * @param loaded the scripts, if they were loaded
	 */
	MissingRights rights(@Nullable LoadedScripts loaded) {
		MissingRights missing = missingRights();
		if (loaded != null) {
			run(loaded, RightsCheck.claim(this.settings.keyPrefix()), () -> false);
		}
		return missing;
	}

	/**
	 * Runs a script.
	 * @param mayVote whether the whole script may be sent to a server that does not know
	 * it
	 */
	Vote run(LoadedScripts loaded, ScriptCall call, BooleanSupplier mayVote) {
		LockScript script = call.script();
		List<String> keys = call.allKeys(loaded.markerKey(script));
		byte[][] keysAndArguments = bytes(keys, call.arguments(this.settings));
		try {
			return vote(call, this.connection.scriptingCommands()
				.evalSha(loaded.digest(script), ReturnType.MULTI, keys.size(), keysAndArguments));
		}
		catch (DataAccessException ex) {
			boolean mayAsk = !script.bound() || mayVote.getAsBoolean();
			if (!mayAsk || !ServerErrors.isNoScript(ConnectionErrors.describe(ex))) {
				throw ex;
			}
			Vote vote = vote(call, this.connection.scriptingCommands()
				.eval(bytes(loaded.wholeText(script)), ReturnType.MULTI, keys.size(), keysAndArguments));
			if (loaded.runId().equals(runId())) {
				load(loaded);
			}
			return vote;
		}
	}

	@Nullable String marker() {
		byte[] key = bytes(Marker.key(this.settings.keyPrefix()));
		this.connection.keyCommands().pExpire(key, this.settings.retention().toMillis());
		byte[] id = this.connection.stringCommands().get(key);
		return (id != null) ? new String(id, StandardCharsets.UTF_8) : null;
	}

	List<String> exchange(String nodeList, Duration lasting) {
		return eval(NodeList.EXCHANGE, NodeList.keys(this.settings.keyPrefix()),
				List.of(nodeList, Long.toString(lasting.toMillis())));
	}

	@Override
	public void close() {
		this.connection.close();
	}

	private @Nullable DataHistory history(ServerFacts facts, KnownLife known) {
		if (!this.settings.restartGuard() || facts.unfitBecause() != null) {
			return null;
		}
		return DataHistory.parse(eval(DataHistory.SCRIPT, DataHistory.keys(this.settings.keyPrefix()),
				DataHistory.arguments(facts, known, this.context)), this.context);
	}

	private void load(LoadedScripts loaded) {
		for (LockScript script : LockScript.values()) {
			this.connection.scriptingCommands().scriptLoad(bytes(loaded.text(script)));
		}
	}

	private String runId() {
		return String.join("", eval(ServerFacts.RUN_ID_SCRIPT, List.of(), List.of()));
	}

	private Map<String, String> info() {
		Map<String, String> fields = new HashMap<>();
		Properties info = this.connection.serverCommands().info();
		if (info != null) {
			for (String name : info.stringPropertyNames()) {
				fields.put(name, info.getProperty(name, ""));
			}
		}
		return fields;
	}

	/**
	 * Tries all commands that this kind of node uses.
	 */
	private MissingRights missingRights() {
		RightsCheck check = new RightsCheck(this.settings.keyPrefix(), false);
		Map<Right, String> missing = new EnumMap<>(Right.class);
		attempt(Right.EVAL, missing,
				() -> missing.putAll(check.missing(eval(RightsCheck.SCRIPT, List.of(), check.commands()))));
		byte[] nothing = bytes(RightsCheck.NOTHING);
		attempt(Right.SCRIPT_LOAD, missing, () -> this.connection.scriptingCommands().scriptLoad(nothing));
		attempt(Right.EVALSHA, missing,
				() -> this.connection.scriptingCommands().evalSha(RightsCheck.NOTHING_DIGEST, ReturnType.INTEGER, 0));
		attempt(Right.INFO, missing, () -> {
			if (ServerFacts.isAppendOnly(info())) {
				attempt(Right.CONFIG_GET, missing,
						() -> this.connection.serverCommands().getConfig(ServerFacts.FSYNC_SETTINGS));
			}
		});
		return check.of(missing).orRefuse();
	}

	private static void attempt(Right right, Map<Right, String> missing, Runnable command) {
		try {
			command.run();
		}
		catch (DataAccessException ex) {
			if (!RightsCheck.note(right, ConnectionErrors.describe(ex), missing)) {
				throw ex;
			}
		}
	}

	private @Nullable String appendFsync() {
		try {
			Properties config = this.connection.serverCommands().getConfig(ServerFacts.FSYNC_SETTINGS);
			return (config != null) ? ServerFacts.appendFsync(config::getProperty) : null;
		}
		catch (DataAccessException ex) {
			// A node may vote without CONFIG.
			return null;
		}
	}

	private List<String> eval(String script, List<String> keys, List<String> arguments) {
		List<Object> reply = this.connection.scriptingCommands()
			.eval(bytes(script), ReturnType.MULTI, keys.size(), bytes(keys, arguments));
		return (reply != null)
				? reply.stream().map((part) -> new String((byte[]) part, StandardCharsets.UTF_8)).toList() : List.of();
	}

	private static Vote vote(ScriptCall call, @Nullable Object reply) {
		if (!(reply instanceof List<?> list)) {
			throw new IllegalStateException("A script answered with no list");
		}
		String holder = (list.size() > 3 && list.get(3) instanceof byte[] value)
				? new String(value, StandardCharsets.UTF_8) : null;
		return ScriptReply.of(call, list.size(), number(list, 0), number(list, 1), number(list, 2), holder);
	}

	private static long number(List<?> list, int index) {
		if (index >= list.size()) {
			return 0;
		}
		if (list.get(index) instanceof Long number) {
			return number;
		}
		throw new IllegalStateException("A script answered with something else than numbers");
	}

	private static byte[][] bytes(List<String> keys, List<String> arguments) {
		return Stream.concat(keys.stream(), arguments.stream()).map(FactoryConnection::bytes).toArray(byte[][]::new);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * The result of a check.
	 *
	 * @param looked the facts and the time
	 * @param report what the server answered
	 * @param scripts the scripts that are loaded now
	 */
	record Checked(Looked looked, ServerReport report, LoadedScripts scripts) {

	}

	/**
	 * The facts about the server, and its time.
	 *
	 * @param facts the facts
	 * @param sentNanos when the server was asked, by the monotonic clock
	 * @param serverMicros the time that it answered
	 */
	record Looked(ServerFacts facts, long sentNanos, long serverMicros) {

	}

}

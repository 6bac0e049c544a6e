package dev.redlock.spring.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import dev.redlock.spring.redis.DataHistory.KnownLife;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisServerCommands;
import org.springframework.data.redis.connection.ReturnType;

/**
 * One blocking connection, with the scripts of the server that it leads to. Used by one
 * thread at a time.
 */
final class FactoryConnection implements AutoCloseable {

	private static final int ARGUMENTS = 5;

	private final RedisConnection connection;

	private final NodeSettings settings;

	private final byte[] clockBound;

	private final byte[] retention;

	FactoryConnection(RedisConnectionFactory factory, NodeSettings settings) {
		this.connection = factory.getConnection();
		this.settings = settings;
		this.clockBound = bytes(Long.toString(settings.clockBoundMicros()));
		this.retention = bytes(Long.toString(settings.counterRetention().toMillis()));
	}

	/**
	 * Asks the server what it is, and loads the scripts.
	 */
	Checked check(KnownLife known, Ticker ticker) {
		if (this.connection instanceof RedisClusterConnection) {
			throw UnfitServerException.because("It is a cluster, which only a node with cluster settings of its own "
					+ "can use. Replace connection-factory by cluster.nodes.");
		}
		MissingRights missing = missingRights().orRefuse();
		long sentNanos = ticker.nanoTime();
		String info = info();
		ServerFacts facts = facts(info);
		DataHistory history = look(facts, known, ticker);
		LoadedScripts loaded = LoadedScripts.answeringWithLists(facts.runId(),
				(history != null) ? history.marker() : null);
		for (LockScript script : LockScript.values()) {
			this.connection.scriptingCommands().scriptLoad(bytes(loaded.text(script)));
		}
		callScript(loaded);
		return new Checked(new ServerReport(facts, history, missing), loaded, sentNanos, ServerFacts.timeMicros(info));
	}

	/**
	 * The rights that are missing, where the lock can do without them.
	 * @param loaded the scripts that were loaded, if any were
	 */
	MissingRights rights(@Nullable LoadedScripts loaded) {
		MissingRights missing = missingRights().orRefuse();
		if (loaded != null) {
			callScript(loaded);
		}
		return missing;
	}

	/**
	 * Whether scripts may be called shows when one is called.
	 */
	private void callScript(LoadedScripts loaded) {
		run(loaded, LockScript.INSPECT, List.of(Marker.key(this.settings.keyPrefix())), "", 0, 0);
	}

	String info() {
		return text(this.connection.serverCommands().info());
	}

	/**
	 * What the server is, by its INFO.
	 */
	ServerFacts facts(String info) {
		RedisServerCommands server = this.connection.serverCommands();
		return ServerFacts.parse(info, ServerFacts.isAppendOnly(info) ? appendFsync(server) : null);
	}

	Vote run(LoadedScripts loaded, LockScript script, List<String> keys, String token, long millis, long fence) {
		List<String> all = loaded.keys(script, keys);
		byte[][] keysAndArguments = keysAndArguments(all, token, millis, fence);
		try {
			return vote(script, fence, this.connection.scriptingCommands()
				.evalSha(loaded.digest(script), ReturnType.MULTI, all.size(), keysAndArguments));
		}
		catch (DataAccessException ex) {
			if (script.bound() || !ServerErrors.isNoScript(ConnectionErrors.describe(ex))) {
				throw ex;
			}
			return vote(script, fence, this.connection.scriptingCommands()
				.eval(bytes(loaded.text(script)), ReturnType.MULTI, all.size(), keysAndArguments));
		}
	}

	@Nullable String marker() {
		byte[] key = bytes(Marker.key(this.settings.keyPrefix()));
		this.connection.keyCommands().pExpire(key, this.settings.retention().toMillis());
		byte[] id = this.connection.stringCommands().get(key);
		return (id != null) ? new String(id, StandardCharsets.UTF_8) : null;
	}

	List<String> exchange(String nodeList, Duration lasting) {
		return texts(this.connection.scriptingCommands()
			.eval(bytes(NodeList.EXCHANGE), ReturnType.MULTI, 1, bytes(Marker.clientsKey(this.settings.keyPrefix())),
					bytes(nodeList), bytes(Long.toString(lasting.toMillis()))));
	}

	@Override
	public void close() {
		this.connection.close();
	}

	private @Nullable DataHistory look(ServerFacts facts, KnownLife known, Ticker ticker) {
		if (!this.settings.restartGuard() || facts.unfitBecause() != null) {
			return null;
		}
		String prefix = this.settings.keyPrefix();
		String[] keys = DataHistory.keys(prefix);
		byte[][] all = Stream.of(keys, DataHistory.arguments(facts, known, this.settings, ticker))
			.flatMap(Arrays::stream)
			.map(FactoryConnection::bytes)
			.toArray(byte[][]::new);
		List<Object> answer = this.connection.scriptingCommands()
			.eval(bytes(DataHistory.SCRIPT), ReturnType.MULTI, keys.length, all);
		return DataHistory.parse(prefix, texts(answer), ticker);
	}

	/**
	 * What scripts call. The other commands answer for themselves.
	 */
	MissingRights missingRights() {
		RightsCheck check = new RightsCheck(this.settings.keyPrefix(), false);
		List<String> question = check.question();
		byte[][] arguments = question.stream().skip(2).map(FactoryConnection::bytes).toArray(byte[][]::new);
		List<String> errors = texts(
				this.connection.scriptingCommands().eval(bytes(question.get(0)), ReturnType.MULTI, 0, arguments));
		return check.of(check.missing(errors));
	}

	private static List<String> texts(@Nullable List<Object> reply) {
		return (reply != null)
				? reply.stream().map((part) -> new String((byte[]) part, StandardCharsets.UTF_8)).toList() : List.of();
	}

	private byte[][] keysAndArguments(List<String> keys, String token, long millis, long fence) {
		byte[][] all = new byte[keys.size() + ARGUMENTS][];
		int next = 0;
		for (String key : keys) {
			all[next++] = bytes(key);
		}
		all[next++] = bytes(token);
		all[next++] = bytes(Long.toString(millis));
		all[next++] = bytes(Long.toString(fence));
		all[next++] = this.clockBound;
		all[next] = this.retention;
		return all;
	}

	private static Vote vote(LockScript script, long fence, @Nullable Object reply) {
		if (!(reply instanceof List<?> list)) {
			throw new IllegalStateException("A script answered with no list");
		}
		if (list.size() == 1) {
			return ScriptReply.granted(script, fence, number(list, 0));
		}
		String holder = (list.size() > 3 && list.get(3) instanceof byte[] value)
				? new String(value, StandardCharsets.UTF_8) : null;
		return ScriptReply.vote(number(list, 0), number(list, 1), number(list, 2), holder);
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

	private static @Nullable String appendFsync(RedisServerCommands server) {
		try {
			Properties config = server.getConfig(ServerFacts.FSYNC_SETTINGS);
			return (config != null) ? ServerFacts.appendFsync(config::getProperty) : null;
		}
		catch (DataAccessException ex) {
			// CONFIG may be forbidden, which is no reason not to vote.
			return null;
		}
	}

	private static String text(@Nullable Properties info) {
		StringBuilder text = new StringBuilder();
		if (info != null) {
			info.forEach((name, value) -> text.append(name).append(':').append(value).append('\n'));
		}
		return text.toString();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * What came out of a check.
	 *
	 * @param report what the server answered
	 * @param scripts the scripts that it knows now
	 * @param sentNanos when it was asked for its time, by the monotonic clock
	 * @param serverMicros what its clock said
	 */
	record Checked(ServerReport report, LoadedScripts scripts, long sentNanos, long serverMicros) {

	}

}

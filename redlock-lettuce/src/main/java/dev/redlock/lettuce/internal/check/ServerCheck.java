package dev.redlock.lettuce.internal.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.redlock.lettuce.internal.clock.NodeClocks;
import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.connection.ServerConnection;
import dev.redlock.lettuce.internal.connection.ServerReport;
import dev.redlock.lettuce.internal.facts.ConnectionErrors;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.facts.ServerErrors;
import dev.redlock.lettuce.internal.facts.ServerFacts;
import dev.redlock.lettuce.internal.restart.DataHistory;
import dev.redlock.lettuce.internal.restart.DataHistory.KnownServer;
import dev.redlock.lettuce.internal.script.BoundScripts;
import dev.redlock.lettuce.internal.script.CounterKeys;
import dev.redlock.lettuce.internal.script.LockScript;
import dev.redlock.lettuce.internal.script.Marker;
import dev.redlock.lettuce.internal.script.ScriptCall;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.async.RedisAsyncCommands;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the servers of a node for all facts that decide whether the node may vote on
 * locks, and loads the scripts.
 */
public final class ServerCheck {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	/**
	 * No connection has this client id; before Redis 7.0, CLIENT KILL with the id 0 kills
	 * all connections.
	 */
	private static final long NO_CLIENT = Long.MAX_VALUE;

	private static final long TRIAL_MILLIS = 1000;

	private static final String ANNOUNCE = """
			redis.call('PUBSUB', 'NUMSUB', KEYS[1])
			redis.call('PUBLISH', KEYS[1], '')
			return {}
			""";

	private final NodeContext context;

	private final NodeSettings settings;

	/**
	 * The client ids of the connections to each server whose commands may still arrive;
	 * the keys of the map are run ids.
	 */
	private final Map<String, Set<Long>> clients = new HashMap<>();

	private final NodeClocks clocks;

	private Set<String> lastRunIds = Set.of();

	private @Nullable String killRefusedBecause;

	/**
	 * All connections of a node use the same check, because the check of a new connection
	 * kills the former connection.
	 */
	public ServerCheck(NodeContext context, NodeClocks clocks) {
		this.context = context;
		this.settings = context.settings();
		this.clocks = clocks;
	}

	NodeClocks clocks() {
		return this.clocks;
	}

	CompletionStage<ServerReport> check(NodeServers connections, KnownServer known) {
		connections.servers().forEach(ServerConnection::checkBegins);
		return askEach(connections, (server) -> check(server, connections.sharded()))
			.thenCompose((each) -> examine(connections, each, known)
				.exceptionallyCompose((refusal) -> refused(connections, each, refusal)));
	}

	CompletionStage<ServerFacts> readFacts(NodeServers connections) {
		return askEach(connections, this::facts).thenApply((each) -> ServerFacts.combined(each.values()));
	}

	private CompletionStage<ServerReport> examine(NodeServers connections, Map<ServerConnection, ServerFacts> each,
			KnownServer known) {
		each.forEach((server, facts) -> server.watch(this.clocks.of(server.place(), facts)));
		this.clocks.keepOnly(each.keySet().stream().map(ServerConnection::place).collect(Collectors.toSet()));
		ServerFacts facts = ServerFacts.combined(each.values());
		return history(connections, facts, known)
			.thenCompose((history) -> loadAll(connections, each, history).thenApply((loaded) -> history))
			.thenCompose((history) -> trial(connections, facts)
				.thenApply((silentBecause) -> new ServerReport(facts, history, silentBecause)))
			.thenApply((report) -> {
				this.lastRunIds = runIds(each);
				this.clients.keySet().retainAll(this.lastRunIds);
				return report;
			});
	}

	private CompletionStage<@Nullable String> trial(NodeServers connections, ServerFacts facts) {
		return (facts.unfitBecause(this.settings.allowEviction()) == null) ? tryTestLock(connections)
				: CompletableFuture.completedStage(null);
	}

	/**
	 * Fails the check with the error that a server answered. If no server was restarted,
	 * the scripts are loaded first, so a server out of memory can extend and release
	 * locks. Scripts for a server out of memory do not check the {@link Marker}, because
	 * such a server grants no locks.
	 */
	private CompletionStage<ServerReport> refused(NodeServers connections, Map<ServerConnection, ServerFacts> each,
			Throwable refusal) {
		CompletionStage<ServerReport> refused = CompletableFuture.failedStage(refusal);
		return this.lastRunIds.containsAll(runIds(each))
				? loadAll(connections, each, null).handle((loaded, failure) -> loaded).thenCompose((loaded) -> refused)
				: refused;
	}

	private static Set<String> runIds(Map<ServerConnection, ServerFacts> each) {
		return each.values().stream().map(ServerFacts::runId).collect(Collectors.toSet());
	}

	/**
	 * Acquires, extends and releases two test keys that no lock uses, and announces the
	 * release. One test key has a hash tag and the other has none, to test both key
	 * formats of {@link CounterKeys}.
	 */
	CompletionStage<@Nullable String> tryTestLock(NodeServers connections) {
		String prefix = this.settings.keyPrefix();
		String token = UUID.randomUUID().toString();
		String key = prefix + "redlock-trial-" + token;
		List<String> keys = List.of(key, prefix + "{" + key + "}");
		ServerConnection server = connections.serving(key);
		CompletableFuture<?> claimed = server.tryOut(new ScriptCall(LockScript.ACQUIRE, keys, token, TRIAL_MILLIS, 0));
		CompletableFuture<?> extended = server
			.tryOut(new ScriptCall(LockScript.EXTEND, keys, token, 2 * TRIAL_MILLIS, 0));
		CompletableFuture<?> released = server.tryOut(new ScriptCall(LockScript.RELEASE, keys, token, 0, 1));
		CompletableFuture<@Nullable String> announced = server
			.eval(connections.channels().announcing(ANNOUNCE), List.of(key), List.of())
			.handle((done, failure) -> (failure != null) ? ConnectionErrors.describe(failure) : null);
		return claimed.thenCompose((done) -> extended).thenCompose((done) -> released).thenCompose((done) -> announced);
	}

	private static CompletableFuture<Map<ServerConnection, ServerFacts>> askEach(NodeServers connections,
			Function<ServerConnection, CompletionStage<ServerFacts>> question) {
		Map<ServerConnection, CompletableFuture<ServerFacts>> asked = new LinkedHashMap<>();
		connections.servers().forEach((server) -> asked.put(server, question.apply(server).toCompletableFuture()));
		return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new)).thenApply((done) -> {
			Map<ServerConnection, ServerFacts> answers = new LinkedHashMap<>();
			asked.forEach((server, answer) -> answers.put(server, answer.join()));
			return answers;
		});
	}

	private CompletionStage<ServerFacts> check(ServerConnection server, boolean sharded) {
		CompletionStage<Long> clientId = server.ask(RedisAsyncCommands::clientId).exceptionally((failure) -> {
			warnOfLateCommands(failure);
			return NO_CLIENT;
		});
		CompletionStage<ServerFacts> own = facts(server).thenCombine(
				server.eval(ServerFacts.RUN_ID_SCRIPT, List.of(), List.of()),
				(facts, runId) -> facts.orRefuse(sharded, this.settings.allowEviction(), String.join("", runId)));
		return clientId.thenCombine(own, (id, facts) -> {
			if (facts.missing().isEmpty()) {
				killFormer(server, id, this.clients.computeIfAbsent(facts.runId(), (unknown) -> new HashSet<>()));
			}
			return facts;
		});
	}

	private CompletionStage<ServerFacts> facts(ServerConnection server) {
		long askedNanos = this.context.ticker().nanoTime();
		return server.<String>ask(RedisAsyncCommands::info).thenApply(ServerFacts::fields).thenCompose((info) -> {
			server.observeTime(askedNanos, ServerFacts.timeMicros(info));
			return appendFsync(server, info).thenApply((fsync) -> ServerFacts.of(info, fsync,
					this.context.keepsAcknowledgedWrites(), this.settings.allowEviction()));
		});
	}

	/**
	 * Kills the former connections of this node to a server. Commands of a former
	 * connection may still be under way or unread, and could take effect later. Scripts
	 * are loaded after the former connections were killed, so no old command can acquire
	 * a lock that was released. A connection whose kill was not answered is killed again
	 * by the next check.
	 */
	private void killFormer(ServerConnection server, long own, Set<Long> clients) {
		Set<Long> former = new HashSet<>(clients);
		former.remove(own);
		clients.add(own);
		(former.isEmpty() ? Set.of(NO_CLIENT) : former)
			.forEach((id) -> server.ask((redis) -> redis.clientKill(KillArgs.Builder.id(id)))
				.whenComplete((done, failure) -> {
					if (failure != null) {
						warnOfLateCommands(failure);
					}
					if (failure == null || failure instanceof RedisCommandExecutionException) {
						clients.remove(id);
					}
				}));
	}

	private void warnOfLateCommands(Throwable failure) {
		String error = ConnectionErrors.describe(failure);
		if (failure instanceof RedisCommandExecutionException && !error.equals(this.killRefusedBecause)) {
			this.killRefusedBecause = error;
			logger.warn(
					"The broken connections to redlock node '{}' cannot be closed. {}. Locks stay safe, but a "
							+ "late command on a broken connection can set a released lock again for its ttl",
					this.context.node(), ServerErrors.fault(error).detail());
		}
	}

	/**
	 * Writes nothing to a server that is unfit for locks, because it may be a replica
	 * that refuses writes.
	 */
	private CompletionStage<@Nullable DataHistory> history(NodeServers connections, ServerFacts facts,
			KnownServer known) {
		if (!this.settings.restartGuard() || facts.unfitBecause(this.settings.allowEviction()) != null) {
			return CompletableFuture.completedFuture(null);
		}
		return connections.aboutNode()
			.eval(DataHistory.SCRIPT, DataHistory.keys(this.settings.keyPrefix()),
					DataHistory.arguments(facts, known, this.context))
			.thenApply((answer) -> DataHistory.parse(answer, this.context));
	}

	/**
	 * Only the scripts for a single server read the {@link Marker}, because a script
	 * cannot read keys of another master.
	 */
	private static CompletionStage<Void> loadAll(NodeServers connections, Map<ServerConnection, ServerFacts> each,
			@Nullable DataHistory history) {
		Marker marker = (history != null && each.size() == 1) ? history.marker() : null;
		List<CompletableFuture<?>> loads = new ArrayList<>();
		each.forEach((server, facts) -> loads
			.add(server.use(new BoundScripts(facts.runId(), marker, connections.channels()))));
		return CompletableFuture.allOf(loads.toArray(CompletableFuture[]::new));
	}

	/**
	 * Returns the appendfsync setting of a server, or null if the Redis user may not run
	 * CONFIG.
	 */
	private static CompletionStage<@Nullable String> appendFsync(ServerConnection server, Map<String, String> info) {
		if (!ServerFacts.isAppendOnly(info)) {
			return CompletableFuture.completedFuture(null);
		}
		return server.ask((redis) -> redis.configGet(ServerFacts.FSYNC_SETTINGS))
			.handle((config, ex) -> (ex == null) ? ServerFacts.appendFsync(config::get) : null);
	}

}

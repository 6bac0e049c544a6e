package dev.redlock.lettuce;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.redlock.lettuce.DataHistory.KnownLife;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the servers of a node everything that decides whether it may vote, and loads the
 * scripts.
 */
final class ServerCheck {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private final NodeContext context;

	private final NodeSettings settings;

	/** The client id of the last connection to each server, by run id. */
	private final Map<String, Long> lastClients = new HashMap<>();

	private final NodeClocks clocks;

	/** The run ids of the servers of the last complete check. */
	private Set<String> judged = Set.of();

	/**
	 * Creates the check of a node. There is one for all its connections, because it kills
	 * the former one.
	 */
	ServerCheck(NodeContext context, NodeClocks clocks) {
		this.context = context;
		this.settings = context.settings();
		this.clocks = clocks;
	}

	NodeClocks clocks() {
		return this.clocks;
	}

	/**
	 * Checks all servers. If a command fails, the stage fails like it.
	 * @param known the life of the server that this client saw last
	 */
	CompletionStage<ServerReport> check(NodeServers connections, KnownLife known) {
		connections.servers().forEach(ServerConnection::checkBegins);
		CompletableFuture<List<ServerFacts>> checks = askEach(connections,
				(server) -> check(server, connections.sharded()));
		// The rights come first: they say what to do, where the other checks only fail.
		return rights(connections)
			// A full server still extends and releases the locks it has. It does not
			// vote, so its scripts need no marker.
			.exceptionallyCompose((refusal) -> checks
				.thenCompose((each) -> this.judged.containsAll(runIds(each)) ? loadAll(connections, each, null)
						: CompletableFuture.completedStage(null))
				.handle((loaded, failure) -> refusal)
				.thenCompose(CompletableFuture::failedStage))
			.thenCompose((missing) -> checks.thenCompose((each) -> examine(connections, each, known, missing)));
	}

	/**
	 * Asks all servers for their facts only.
	 */
	CompletionStage<ServerFacts> look(NodeServers connections) {
		return askEach(connections, this::facts).thenApply(ServerFacts::combined);
	}

	private CompletionStage<ServerReport> examine(NodeServers connections, List<ServerFacts> each, KnownLife known,
			MissingRights missing) {
		watchClocks(connections, each);
		ServerFacts facts = ServerFacts.combined(each);
		return history(connections, facts, known).thenCompose((history) -> loadAll(connections, each, history)
			.thenCompose((loaded) -> (facts.unfitBecause() == null) ? tryClaim(connections)
					: CompletableFuture.completedStage(null))
			.thenApply((tried) -> {
				this.judged = runIds(each);
				this.lastClients.keySet().retainAll(this.judged);
				return new ServerReport(facts, history, missing);
			}));
	}

	private static Set<String> runIds(List<ServerFacts> each) {
		return each.stream().map(ServerFacts::runId).collect(Collectors.toSet());
	}

	/**
	 * Tries each command that the lock needs. The stage fails with an
	 * {@link UnfitServerException} if a required right is missing.
	 */
	CompletionStage<MissingRights> rights(NodeServers connections) {
		RightsCheck check = new RightsCheck(this.settings.keyPrefix(), connections.sharded());
		return askEach(connections, check::ask).thenApply((each) -> {
			Map<Right, String> missing = new EnumMap<>(Right.class);
			each.forEach(missing::putAll);
			return check.of(missing).orRefuse();
		});
	}

	/**
	 * Tries a claim that changes nothing. The stage fails like it if a server answers
	 * with an error.
	 */
	CompletionStage<?> tryClaim(NodeServers connections) {
		ScriptCall claim = RightsCheck.claim(this.settings.keyPrefix());
		return connections.serving(claim.keys().get(0)).tryOut(claim);
	}

	private static <T> CompletableFuture<List<T>> askEach(NodeServers connections,
			Function<ServerConnection, CompletionStage<T>> question) {
		List<CompletableFuture<T>> asked = connections.servers()
			.stream()
			.map((server) -> question.apply(server).toCompletableFuture())
			.toList();
		return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
			.thenApply((done) -> asked.stream().map(CompletableFuture::join).toList());
	}

	private CompletionStage<ServerFacts> check(ServerConnection server, boolean sharded) {
		CompletionStage<Long> clientId = server.clientId().exceptionally((ex) -> ServerConnection.NO_CLIENT_ID);
		CompletionStage<ServerFacts> own = facts(server).thenCombine(
				server.eval(ServerFacts.RUN_ID_SCRIPT, List.of(), List.of()),
				(facts, runId) -> facts.orRefuse(sharded, String.join("", runId)));
		return clientId.thenCombine(own, (id, facts) -> {
			Long former = this.lastClients.put(facts.runId(), id);
			if (facts.untold().isEmpty()) {
				killFormer(server, former, id);
			}
			return facts;
		});
	}

	private CompletionStage<ServerFacts> facts(ServerConnection server) {
		long askedNanos = this.context.ticker().nanoTime();
		return server.info().thenCompose((info) -> {
			server.observeTime(askedNanos, ServerFacts.timeMicros(info));
			return appendFsync(server, info)
				.thenApply((fsync) -> ServerFacts.of(info, fsync, this.context.keepsAcknowledgedWrites()));
		});
	}

	private void watchClocks(NodeServers connections, List<ServerFacts> each) {
		Set<String> places = new HashSet<>();
		for (int i = 0; i < each.size(); i++) {
			ServerConnection server = connections.servers().get(i);
			places.add(server.place());
			server.watch(this.clocks.of(server.place(), each.get(i)));
		}
		this.clocks.keepOnly(places);
	}

	/**
	 * Kills the former connection of this node. Commands that it carried may still be on
	 * their way, or lie unread at a frozen server, and would take effect later. Once the
	 * server has closed it they cannot, so a release that is sent afterwards is final. No
	 * release is sent earlier, because the connection gets its scripts only after this.
	 */
	private static void killFormer(ServerConnection server, @Nullable Long former, long current) {
		if (former != null && former != ServerConnection.NO_CLIENT_ID && former != current) {
			server.kill(former).whenComplete((done, failure) -> {
				if (failure != null) {
					logger.debug("The former connection could not be closed by CLIENT KILL: {}",
							ConnectionErrors.describe(failure));
				}
			});
		}
	}

	/**
	 * Reads the history of the data. A server that is not fit is left as it is, because a
	 * replica takes no marker.
	 */
	private CompletionStage<@Nullable DataHistory> history(NodeServers connections, ServerFacts facts,
			KnownLife known) {
		if (!this.settings.restartGuard() || facts.unfitBecause() != null) {
			return CompletableFuture.completedFuture(null);
		}
		return connections.aboutNode()
			.eval(DataHistory.SCRIPT, DataHistory.keys(this.settings.keyPrefix()),
					DataHistory.arguments(facts, known, this.context))
			.thenApply((answer) -> DataHistory.parse(answer, this.context));
	}

	/**
	 * Loads the scripts on all servers. They compare the marker only where one server has
	 * all keys. On a cluster with several masters, a script cannot read the marker on
	 * another one.
	 */
	private static CompletionStage<Void> loadAll(NodeServers connections, List<ServerFacts> each,
			@Nullable DataHistory history) {
		Marker marker = (history != null && each.size() == 1) ? history.marker() : null;
		List<CompletableFuture<?>> loads = new ArrayList<>();
		for (int i = 0; i < each.size(); i++) {
			ServerConnection server = connections.servers().get(i);
			loads.add(server.use(new LoadedScripts(each.get(i).runId(), marker, connections.sharded())));
		}
		return CompletableFuture.allOf(loads.toArray(CompletableFuture[]::new));
	}

	/**
	 * Returns null if the user may not run CONFIG. The node may vote without it.
	 */
	private static CompletionStage<@Nullable String> appendFsync(ServerConnection server, Map<String, String> info) {
		if (!ServerFacts.isAppendOnly(info)) {
			return CompletableFuture.completedFuture(null);
		}
		return server.config(ServerFacts.FSYNC_SETTINGS)
			.handle((config, ex) -> (ex == null) ? ServerFacts.appendFsync(config::get) : null);
	}

}

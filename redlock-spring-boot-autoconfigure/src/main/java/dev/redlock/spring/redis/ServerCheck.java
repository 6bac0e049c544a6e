package dev.redlock.spring.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import dev.redlock.spi.Ticker;
import dev.redlock.spring.redis.Sighting.KnownLife;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.MapOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the servers of a node what they are, and loads the scripts.
 */
final class ServerCheck {

	private static final Logger log = LoggerFactory.getLogger(ServerCheck.class);

	private static final long UNKNOWN = -1;

	private static final StringCodec UTF8 = StringCodec.UTF8;

	private final NodeSettings settings;

	private final Ticker ticker;

	/**
	 * The last connection to each server, by run id; replaced by each check.
	 */
	private volatile Map<String, Long> lastClients = Map.of();

	/**
	 * By place, so that a step while a connection was down shows too.
	 */
	private volatile Map<String, ClockWatch> clocks = Map.of();

	ServerCheck(NodeSettings settings, Ticker ticker) {
		this.settings = settings;
		this.ticker = ticker;
	}

	/**
	 * Checks all servers. The stage fails as the first failing command does.
	 * @param links the connections
	 * @param known the life that was seen last
	 */
	CompletionStage<Examination> check(Links links, KnownLife known) {
		Map<String, Long> former = this.lastClients;
		Map<String, Long> clients = new ConcurrentHashMap<>();
		List<CompletableFuture<ServerFacts>> checks = new ArrayList<>();
		for (ServerLink link : links.servers()) {
			checks.add(check(link, former, clients).toCompletableFuture());
		}
		// Looked at before the checks: it says what to do where they only fail.
		return rights(links).thenCompose((missing) -> CompletableFuture.allOf(checks.toArray(CompletableFuture[]::new))
			.thenCompose((ignored) -> {
				this.lastClients = Map.copyOf(clients);
				return examine(links, checks.stream().map(CompletableFuture::join).toList(), known, missing);
			}));
	}

	/**
	 * Asks all servers what they are, and nothing else.
	 */
	CompletionStage<ServerFacts> look(Links links) {
		List<CompletableFuture<ServerFacts>> asked = links.servers()
			.stream()
			.map((link) -> facts(link).toCompletableFuture())
			.toList();
		return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
			.thenApply((done) -> ServerFacts.combined(asked.stream().map(CompletableFuture::join).toList()));
	}

	private CompletionStage<Examination> examine(Links links, List<ServerFacts> each, KnownLife known,
			MissingRights missing) {
		watchClocks(links, each);
		ServerFacts facts = ServerFacts.combined(each);
		return look(links, facts, known).thenCompose((sighting) -> loadAll(links, each, sighting)
			.thenApply((loaded) -> new Examination(facts, sighting, missing, 0)));
	}

	/**
	 * Tries what the lock needs to do. The stage fails with a
	 * {@link MissingRights.Refusal} where there are no locks.
	 */
	CompletionStage<MissingRights> rights(Links links) {
		RightsCheck check = new RightsCheck(this.settings.keyPrefix(), !links.keepsAllKeysTogether());
		CompletionStage<MissingRights> all = CompletableFuture.completedFuture(check.of(List.of()));
		for (ServerLink link : links.servers()) {
			all = all.thenCombine(check.ask(link), MissingRights::and);
		}
		return all.thenApply(MissingRights::orRefuse);
	}

	private CompletionStage<ServerFacts> check(ServerLink link, Map<String, Long> former, Map<String, Long> clients) {
		CompletionStage<Long> clientId = link.ask(CommandType.CLIENT, new IntegerOutput<>(UTF8), "ID")
			.exceptionally((ex) -> UNKNOWN);
		return clientId.thenCombine(facts(link), (id, facts) -> {
			clients.put(facts.runId(), id);
			killFormer(link, former.get(facts.runId()), id);
			return facts;
		});
	}

	private CompletionStage<ServerFacts> facts(ServerLink link) {
		long askedNanos = this.ticker.nanoTime();
		return link.ask(CommandType.INFO, new StatusOutput<>(UTF8)).thenCompose((info) -> {
			link.toldTime(askedNanos, ServerFacts.timeMicros(info));
			return appendFsync(link, info).thenApply((fsync) -> ServerFacts.parse(info, fsync));
		});
	}

	private void watchClocks(Links links, List<ServerFacts> each) {
		Map<String, ClockWatch> next = new HashMap<>();
		for (int i = 0; i < each.size(); i++) {
			ServerLink link = links.servers().get(i);
			ClockWatch known = this.clocks.get(link.place());
			ClockWatch watch = (known != null) ? known : new ClockWatch(this.settings, this.ticker);
			watch.turnTo(each.get(i));
			next.put(link.place(), watch);
			link.watch(watch);
			// So that there is a time to compare the next one with.
			link.heartbeat();
		}
		this.clocks = next;
	}

	/**
	 * What was sent over a connection that broke may still be on its way, or lie unread
	 * at a server that was frozen, and take effect later. Once the server has closed that
	 * connection it cannot, so a release that is sent behind this is final. The release
	 * is not let through before: scripts are handed to the link only after this.
	 */
	private static void killFormer(ServerLink link, @Nullable Long former, long current) {
		if (former != null && former != UNKNOWN && former != current) {
			link.ask(CommandType.CLIENT, new IntegerOutput<>(UTF8), "KILL", "ID", Long.toString(former))
				.exceptionally((ex) -> {
					log.debug("The former connection could not be closed by CLIENT KILL: {}", LinkErrors.describe(ex));
					return UNKNOWN;
				});
		}
	}

	/**
	 * A server that is not fit is left as it is: a replica takes no marker.
	 */
	private CompletionStage<@Nullable Sighting> look(Links links, ServerFacts facts, KnownLife known) {
		if (!this.settings.restartGuard() || facts.unfitBecause() != null) {
			return CompletableFuture.completedFuture(null);
		}
		String prefix = this.settings.keyPrefix();
		String[] question = Stream
			.of(new String[] { Sighting.SCRIPT, "2" }, Sighting.keys(prefix),
					Sighting.arguments(facts, known, this.settings, this.ticker))
			.flatMap(Arrays::stream)
			.toArray(String[]::new);
		return links.aboutNode(prefix)
			.ask(CommandType.EVAL, new ValueListOutput<>(UTF8), question)
			.thenApply((answer) -> Sighting.parse(prefix, answer, this.ticker));
	}

	/**
	 * The scripts look at the marker where there is one server. On a cluster it is in
	 * another slot than the lock, and no script may touch both.
	 */
	private static CompletionStage<Void> loadAll(Links links, List<ServerFacts> each, @Nullable Sighting sighting) {
		Marker marker = (sighting != null && links.keepsAllKeysTogether()) ? sighting.marker() : null;
		List<CompletableFuture<?>> loads = new ArrayList<>();
		for (int i = 0; i < each.size(); i++) {
			ServerLink link = links.servers().get(i);
			LoadedScripts scripts = new LoadedScripts(each.get(i).runId(), marker, !links.keepsAllKeysTogether());
			for (LockScript script : LockScript.values()) {
				loads.add(link.ask(CommandType.SCRIPT, new StatusOutput<>(UTF8), "LOAD", scripts.text(script)));
			}
			// Whatever is sent from here on is behind the loading.
			link.use(scripts);
		}
		return CompletableFuture.allOf(loads.toArray(CompletableFuture[]::new));
	}

	/**
	 * CONFIG may be forbidden, which is no reason not to vote.
	 */
	private static CompletionStage<@Nullable String> appendFsync(ServerLink link, String info) {
		if (!ServerFacts.isAppendOnly(info)) {
			return CompletableFuture.completedFuture(null);
		}
		return link.ask(CommandType.CONFIG, new MapOutput<>(UTF8), "GET", ServerFacts.FSYNC_SETTINGS)
			.handle((config, ex) -> (ex == null) ? ServerFacts.appendFsync(config::get) : null);
	}

}

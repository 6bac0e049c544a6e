package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import dev.redlock.spi.NodeListener;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spring.redis.RestartGuard.Verdict;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * A node over any connection factory of the application's. Its operations block one
 * thread after the other, so it is slower than a node over Lettuce; it finds a broken
 * connection only when it is used; and it cannot tell a server to forget what an old
 * connection still carries. It announces releases and does not listen for them.
 */
final class ConnectionFactoryLockNode extends ScriptNode {

	private static final Duration PAUSE = Duration.ofSeconds(1);

	private static final Duration PAUSE_WHILE_UNFIT = Duration.ofSeconds(5);

	private static final String REMEDY = "Set the right ones on its RedisConnectionFactory bean";

	private final RedisConnectionFactory factory;

	private final NodeSettings settings;

	private final ServerRegistry registry;

	private final Scheduler scheduler;

	private final Ticker ticker;

	private final RestartGuard guard;

	private final FailoverWatch failovers;

	private final RightsWatch rights;

	private final NodeWorker worker;

	private final AtomicReference<Scheduler.@Nullable Timeout> nextCheck = new AtomicReference<>();

	/**
	 * Touched by the worker's only thread.
	 */
	private final ClockWatch clock;

	/**
	 * Touched by the worker's only thread, as is what follows.
	 */
	private @Nullable FactoryConnection connection;

	/** What the server said of itself when it was checked last. */
	private @Nullable ServerFacts facts;

	ConnectionFactoryLockNode(String name, RedisConnectionFactory factory, NodeSettings settings,
			ServerRegistry registry, Scheduler scheduler, Ticker ticker, NodeListener listener) {
		super(name, ticker, listener);
		this.factory = factory;
		this.settings = settings;
		this.registry = registry;
		this.scheduler = scheduler;
		this.ticker = ticker;
		this.guard = new RestartGuard(settings, ticker);
		this.failovers = new FailoverWatch(name, settings);
		this.rights = new RightsWatch(name);
		this.clock = new ClockWatch(settings, ticker);
		this.worker = new NodeWorker(name);
	}

	@Override
	public void start() {
		if (!this.worker.accepts(this::look)) {
			checkIn(PAUSE);
		}
	}

	@Override
	CompletionStage<Vote> run(Standing standing, LockScript script, List<String> keys, String token, long millis,
			long fence) {
		return this.worker.vote(() -> runNow(script, keys, token, millis, fence));
	}

	@Override
	public CompletableFuture<@Nullable String> marker() {
		return ask(FactoryConnection::marker);
	}

	@Override
	public CompletableFuture<@Nullable List<String>> exchange(String nodeList, Duration lasting) {
		return ask((current) -> current.exchange(nodeList, lasting));
	}

	@Override
	public void close() {
		board().close();
		cancel(this.nextCheck.getAndSet(null));
		this.worker.run(this::disconnect);
		this.worker.shutdown();
	}

	private <T> CompletableFuture<@Nullable T> ask(Function<FactoryConnection, @Nullable T> question) {
		CompletableFuture<@Nullable T> answer = new CompletableFuture<>();
		this.worker.run(() -> {
			FactoryConnection current = this.connection;
			answer.complete((current != null) ? question.apply(current) : null);
		}).thenRun(() -> answer.complete(null));
		return answer;
	}

	private Vote runNow(LockScript script, List<String> keys, String token, long millis, long fence) {
		FactoryConnection current = this.connection;
		Standing standing = board().now();
		// Asked again: the state may have changed while the operation was waiting.
		if (current == null || (script.bound() && !standing.allows(script))) {
			return standing.denial();
		}
		try {
			long sentNanos = this.ticker.nanoTime();
			Vote vote = current.run(script, keys, token, millis, fence);
			long serverMicros = ScriptReply.serverMicros(vote);
			return isDoubtful(sentNanos, serverMicros) ? ScriptReply.afterClockStep(serverMicros) : vote;
		}
		catch (RuntimeException ex) {
			return failed(ex);
		}
	}

	private boolean isDoubtful(long sentNanos, long serverMicros) {
		long stepMicros = (serverMicros != 0) ? this.clock.told(sentNanos, serverMicros) : 0;
		String doubt = (stepMicros != 0) ? this.guard.clockStepped(stepMicros) : null;
		if (doubt != null) {
			settle(Standing.of(State.CHECKING, doubt, null), Duration.ZERO);
		}
		return doubt != null;
	}

	private Vote failed(RuntimeException ex) {
		String error = LinkErrors.describe(ex);
		if (!ServerErrors.isFromServer(error)) {
			disconnect();
			settle(Standing.of(State.UNAVAILABLE, error, null), PAUSE);
			return new Faulted(Fault.UNAVAILABLE, "The connection was lost: " + error, true);
		}
		Faulted fault = ServerErrors.fault(error);
		boolean mayVote = board().now().mayVoteSoon();
		if (mayVote && ServerErrors.asksForCheck(error)) {
			settle(Standing.of(State.CHECKING, fault.detail(), null), Duration.ZERO);
		}
		else if (mayVote && ServerErrors.isSuspicious(error) && this.facts != null) {
			// Checked once a second at most: the error may be about one key alone.
			this.facts = null;
			checkIn(PAUSE);
		}
		return fault;
	}

	/**
	 * Checks the server, unless it may vote and says of itself what it said before.
	 */
	private void look() {
		if (!isUnchanged()) {
			check();
		}
	}

	private boolean isUnchanged() {
		FactoryConnection current = this.connection;
		if (current == null || !board().now().mayVoteSoon()) {
			return false;
		}
		try {
			long sentNanos = this.ticker.nanoTime();
			String info = current.info();
			boolean same = !isDoubtful(sentNanos, ServerFacts.timeMicros(info))
					&& current.facts(info).equals(this.facts);
			if (same) {
				checkIn(NodeSettings.LOOK_PERIOD);
			}
			return same;
		}
		catch (RuntimeException ex) {
			// The check gets the same error, and reports it.
			return false;
		}
	}

	private void check() {
		try {
			FactoryConnection current = this.connection;
			if (current == null) {
				current = new FactoryConnection(this.factory, this.settings);
				this.connection = current;
			}
			if (current.leadsToCluster()) {
				settle(Standing
					.of(State.UNFIT,
							"It is a cluster, which only a node with cluster settings of its own "
									+ "can use. Replace connection-factory by cluster.nodes.",
							null),
						PAUSE_WHILE_UNFIT);
				return;
			}
			long sentNanos = this.ticker.nanoTime();
			judge(current.check(this.guard.knownLife(), this.ticker), sentNanos);
		}
		catch (MissingRights.Refusal ex) {
			settle(ex.standing(null), PAUSE_WHILE_UNFIT);
		}
		catch (RuntimeException ex) {
			checkFailed(ex);
		}
	}

	private void checkFailed(RuntimeException ex) {
		String credentials = ConnectErrors.credentials(ex);
		String error = LinkErrors.describe(ex);
		if (credentials != null) {
			// A connection that was refused once stays refused.
			disconnect();
			settle(Standing.of(State.UNFIT, credentials + ". " + REMEDY, null), PAUSE_WHILE_UNFIT);
		}
		else if (ServerErrors.isFromServer(error)) {
			settle(Standing.checkRefused(error, null), PAUSE);
		}
		else {
			disconnect();
			settle(Standing.of(State.UNAVAILABLE, ConnectErrors.describe(ex), null), PAUSE);
		}
	}

	private void judge(Examination examination, long sentNanos) {
		this.facts = examination.facts();
		this.failovers.look(examination.facts());
		this.rights.look(examination.missing());
		this.clock.turnTo(examination.facts());
		if (isDoubtful(sentNanos, examination.serverMicros())) {
			return;
		}
		String other = this.registry.claim(name(), ServerRegistry.runIds(examination.facts()));
		Verdict verdict = (other != null) ? Verdict.unfit(ServerRegistry.message(name(), other))
				: this.guard.judge(examination.facts(), examination.sighting());
		switch (verdict.state()) {
			case READY -> settle(Standing.ready(null), NodeSettings.LOOK_PERIOD);
			case QUARANTINED -> {
				Standing quarantined = Standing.quarantined(verdict.reason(), verdict.remaining(),
						this.ticker.nanoTime(), null);
				settle(quarantined, NodeSettings.LOOK_PERIOD);
				this.guard.serve(quarantined, verdict, board(), this.scheduler);
			}
			default -> settle(Standing.of(verdict.state(), verdict.reason(), null), PAUSE_WHILE_UNFIT);
		}
	}

	private void settle(Standing standing, Duration nextCheck) {
		board().set(standing);
		checkIn(nextCheck);
	}

	/** One check waits at a time. */
	private void checkIn(Duration delay) {
		if (!this.worker.isShutdown()) {
			cancel(this.nextCheck.getAndSet(this.scheduler.schedule(delay, this::start)));
		}
	}

	private static void cancel(Scheduler.@Nullable Timeout timer) {
		if (timer != null) {
			timer.cancel();
		}
	}

	private void disconnect() {
		FactoryConnection current = this.connection;
		this.connection = null;
		if (current != null) {
			try {
				current.close();
			}
			catch (RuntimeException ex) {
				// It was to be thrown away in any case.
			}
		}
	}

}

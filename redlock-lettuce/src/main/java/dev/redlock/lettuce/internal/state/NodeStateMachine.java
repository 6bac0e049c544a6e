package dev.redlock.lettuce.internal.state;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import dev.redlock.lettuce.internal.check.ConnectionKeeper;
import dev.redlock.lettuce.internal.check.NodeConnector;
import dev.redlock.lettuce.internal.check.ServerCheck;
import dev.redlock.lettuce.internal.clock.NodeClocks;
import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.connection.HelperThreads;
import dev.redlock.lettuce.internal.connection.NodeConnection;
import dev.redlock.lettuce.internal.connection.ServerReport;
import dev.redlock.lettuce.internal.facts.ConnectionErrors;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.facts.ServerErrors;
import dev.redlock.lettuce.internal.facts.UnfitServerException;
import dev.redlock.lettuce.internal.restart.DataHistory.KnownServer;
import dev.redlock.lettuce.internal.restart.RestartGuard;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Scheduler.Timeout;
import io.lettuce.core.RedisCommandExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state machine of one node, on the event loop: <pre>
 *                  connected              may vote
 *  UNAVAILABLE ---------------> CHECKING ----------> READY
 *    ^     ^                    |  ^  |  ^             | must be checked
 *    |     |                    |  |  |  +-------------+
 *    |     |             not fit|  |  | may have forgotten locks
 *    |     |                    v  |  v
 *    |     |                 UNFIT |  QUARANTINED ---> READY, when its time is over
 *    |     |                       |   | must be checked
 *    |     |                       +---+
 *    |     +--- while the server is busy
 *    +--------- from each state, when the connection is lost.
 * </pre> A server is busy while it runs no commands, for example because it loads its
 * data. Its node is checked in the state UNAVAILABLE, and an UNFIT node in the state
 * UNFIT, so the check leads from there to READY or QUARANTINED. A node that cannot
 * connect until an operator acts, for example with another password, is UNFIT without a
 * check. An UNFIT node is checked again over a new connection, because the host name may
 * lead to another server by now. An UNFIT node that may still extend locks keeps its
 * connection.
 */
public final class NodeStateMachine implements ConnectionKeeper.Listener {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private static final Duration PAUSE_WHILE_LOADING = Duration.ofMillis(500);

	private static final Duration PAUSE_WHILE_UNFIT = Duration.ofSeconds(5);

	private static final Duration PAUSE_BETWEEN_TRIALS = Duration.ofSeconds(1);

	private final NodeConnector connector;

	private final NodeContext context;

	private final Consumer<@Nullable NodeConnection> connected;

	private final BiConsumer<NodeStatus, NodeStatus> listener;

	private final RestartGuard guard;

	private final ServerCheck check;

	private volatile NodeStateHolder states;

	private ConnectionKeeper keeper;

	/** Other threads read the last report too. */
	private volatile @Nullable ServerReport lastReport;

	private Timeout timer = Timeout.NONE;

	private long nextTrialNanos;

	/**
	 * @param connected receives the connection after each successful check, and null when
	 * the connection is lost
	 * @param listener receives the former and the new status of the node at each change
	 */
	public NodeStateMachine(NodeConnector connector, NodeContext context, Consumer<@Nullable NodeConnection> connected,
			BiConsumer<NodeStatus, NodeStatus> listener) {
		this.connector = connector;
		this.context = context;
		this.connected = connected;
		this.listener = listener;
		this.guard = new RestartGuard(context.settings(), context.ticker());
		this.check = new ServerCheck(context, new NodeClocks(context, this::readFacts, this::clockStepped));
		this.states = new NodeStateHolder(context.node(), context.ticker(), listener);
		this.keeper = new ConnectionKeeper(connector, this.check, context, this);
		this.nextTrialNanos = context.ticker().nanoTime();
	}

	public NodeState state() {
		return this.states.now();
	}

	public long noLossSinceMicros() {
		return this.guard.noLossSinceMicros();
	}

	/**
	 * Whether the Redis user of the node may announce releases, according to the last
	 * check.
	 */
	public boolean announces() {
		return this.lastReport != null && this.lastReport.silentBecause() == null;
	}

	/**
	 * Returns the policy of the servers by which they may evict keys, or null if they
	 * evict none. Thread-safe.
	 */
	public @Nullable String evictionPolicy() {
		ServerReport last = this.lastReport;
		return (last != null && last.facts().mayEvict()) ? last.facts().evictionPolicy() : null;
	}

	public CompletableFuture<Void> firstVerdict() {
		return this.states.firstVerdict();
	}

	/**
	 * Connects the node, even after {@link #close}. A node that is started again still
	 * knows its server's process, data and clock, so it notices a restart of the server.
	 */
	public void start() {
		boolean again = this.states.isClosed();
		if (again) {
			this.states = new NodeStateHolder(this.context.node(), this.context.ticker(), this.listener);
		}
		boolean posted = this.context.loop().run(() -> {
			if (again) {
				this.keeper = new ConnectionKeeper(this.connector, this.check, this.context, this);
			}
			this.keeper.connect();
		});
		if (!posted) {
			throw new IllegalStateException("The event loop of the lock has ended");
		}
	}

	/**
	 * After {@code close()}, the node no longer votes on locks. Any thread may close the
	 * node, but not while another thread calls {@link #start}.
	 */
	public CompletableFuture<Void> close() {
		this.states.close();
		CompletableFuture<Void> closed = new CompletableFuture<>();
		Runnable end = () -> {
			this.timer.cancel();
			this.connected.accept(null);
			this.keeper.close().whenComplete((done, failure) -> closed.complete(null));
		};
		HelperThreads.post(this.context.loop(), end);
		return closed;
	}

	@Override
	public void connected(NodeConnection connection) {
		NodeState before = state();
		NodeState checking = (before.state() == State.UNFIT) ? NodeState.of(State.UNFIT, before.reason(), connection)
				: NodeState.of(State.CHECKING, "The server was just connected", connection);
		this.states.set(checking);
		connection.start(this.keeper::reconnect, this::refused);
		check(connection);
	}

	@Override
	public void disconnected(State state, String why) {
		this.timer.cancel();
		this.connected.accept(null);
		this.states.set(NodeState.of(state, why, null));
	}

	private void refused(String error) {
		if (ServerErrors.asksForReconnect(error)) {
			clusterChanged(error);
		}
		else if (ServerErrors.asksForCheck(error)) {
			checkNow(ServerErrors.fault(error).detail(), false);
		}
		else if (announces() || !error.equals(ServerErrors.UNANNOUNCED)) {
			tryCommands();
		}
	}

	private @Nullable CompletionStage<?> readFacts() {
		NodeConnection current = state().connection();
		return (current != null) ? current.readFacts() : null;
	}

	private boolean clockStepped(long stepMicros) {
		String why = this.guard.clockStepped(stepMicros);
		if (why == null) {
			logger.warn("The clock of redlock node '{}' stepped by {} ms against the clock of this client",
					this.context.node(), stepMicros / 1000);
		}
		else {
			// A server process that was not restarted still has its locks.
			checkNow(why, state().extendable());
		}
		return why != null;
	}

	private void checkNow(String why, boolean extendable) {
		NodeConnection doubtful = state().connection();
		if (doubtful != null && state().mayVoteSoon()) {
			this.timer.cancel();
			this.states.set(new NodeState(State.CHECKING, why, doubtful, extendable));
			check(doubtful);
		}
	}

	private void check(NodeConnection checked) {
		KnownServer known = this.guard.knownServer();
		assert this.context.loop().inLoop();
		checked.check(known).whenComplete((report, failure) -> {
			if (state().connection() != checked) {
				return;
			}
			if (failure != null) {
				checkFailed(checked, failure);
				return;
			}
			this.guard.observed(report.facts());
			if (known.equals(this.guard.knownServer())) {
				checkSucceeded(checked, report);
			}
			else {
				// If the server may have lost data during the check, another check must
				// record the loss on the server.
				check(checked);
			}
		});
	}

	private void checkSucceeded(NodeConnection checked, ServerReport report) {
		NodeState result = stateAfterCheck(report, checked);
		this.lastReport = report;
		if (!result.mayVoteSoon()) {
			checkAgain(result, checked);
			return;
		}
		this.states.set(result);
		this.connected.accept(checked);
		if (result.state() == State.QUARANTINED) {
			voteAfter(result);
		}
		checkFactsLater(checked);
	}

	/**
	 * Lets the node vote when its quarantine is over, unless its state has changed by
	 * then.
	 */
	private void voteAfter(NodeState quarantined) {
		Duration remaining = quarantined.remaining(this.context.ticker().nanoTime());
		if (!remaining.isZero()) {
			this.context.loop().schedule(remaining, () -> voteAfter(quarantined));
		}
		else if (state() == quarantined) {
			this.guard.hasWaited();
			this.states.set(NodeState.ready(quarantined.connection()));
		}
	}

	private NodeState stateAfterCheck(ServerReport report, NodeConnection checked) {
		ServerReport before = this.lastReport;
		FailoverWarning.warn(this.context, (before != null) ? before.facts() : null, report.facts());
		EvictionWarning.warn(this.context, (before != null) ? before.facts() : null, report.facts());
		warnOfSilence(report.silentBecause());
		String duplicate = this.context.registry().assign(this.context.node(), report.facts());
		return (duplicate != null) ? NodeState.of(State.UNFIT, duplicate, checked)
				: NodeState.after(this.guard.stateAfterCheck(report.facts(), report.history()),
						this.context.ticker().nanoTime(), checked);
	}

	private void checkFailed(NodeConnection checked, Throwable failure) {
		Throwable cause = (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
				: failure;
		if (cause instanceof UnfitServerException unfit) {
			checkAgain(NodeState.of(State.UNFIT, String.valueOf(unfit.getMessage()), checked), checked);
			return;
		}
		String credentials = ConnectionErrors.credentials(cause);
		String error = String.valueOf(cause.getMessage());
		if (credentials != null) {
			this.keeper.refusedCredentials(credentials, false);
		}
		else if (!(cause instanceof RedisCommandExecutionException)) {
			this.keeper.reconnect("The check of the server failed: " + ConnectionErrors.describe(failure));
		}
		else if (ServerErrors.asksForReconnect(error)) {
			clusterChanged(error);
		}
		else if (state().mayVoteSoon() && ServerErrors.asksForCheck(error)) {
			checkNow(ServerErrors.fault(error).detail(), false);
		}
		else {
			checkAgain(NodeState.checkRefused(error, this.connector.aclRules(), checked, state().extendable()),
					checked);
		}
	}

	private void warnOfSilence(@Nullable String why) {
		ServerReport before = this.lastReport;
		if (why != null && (before == null || !why.equals(before.silentBecause()))) {
			logger.warn(
					"Redlock node '{}' cannot announce releases. {}. Locks stay safe, but clients that wait for locks "
							+ "of other processes poll Redis. The ACL of the Redis user needs all of: {}",
					this.context.node(), ServerErrors.fault(why).detail(), this.connector.aclRules());
		}
	}

	private void clusterChanged(String error) {
		this.keeper.reconnect("The cluster has changed: " + ServerErrors.fault(error).detail());
	}

	private void checkAgain(NodeState until, NodeConnection checked) {
		this.states.set(until);
		boolean unfit = until.state() == State.UNFIT;
		after(unfit ? PAUSE_WHILE_UNFIT : PAUSE_WHILE_LOADING, () -> {
			if (unfit && !until.extendable()) {
				this.keeper.reconnectAtOnce(until.reason());
			}
			else {
				check(checked);
			}
		});
	}

	/**
	 * The configuration of a running server may change, so the server is checked
	 * regularly.
	 */
	private void checkFactsLater(NodeConnection checked) {
		after(NodeSettings.CHECK_INTERVAL, () -> checked.readFacts().whenComplete((seen, failure) -> {
			if (state().connection() != checked || !state().mayVoteSoon()) {
				return;
			}
			if (failure != null) {
				checkNow("The server did not answer INFO: " + ConnectionErrors.describe(failure), false);
			}
			else if (this.lastReport == null || !seen.equals(this.lastReport.facts())) {
				this.guard.observed(seen);
				checkNow("The configuration or the role of the server has changed", false);
			}
			else {
				checkFactsLater(checked);
			}
		}));
	}

	/**
	 * Tries the lock's commands on test keys after a server answered with an error. The
	 * node votes on locks during the test, because the error may concern only one lock
	 * key.
	 */
	private void tryCommands() {
		NodeState now = state();
		NodeConnection suspicious = now.connection();
		long nanos = this.context.ticker().nanoTime();
		if (suspicious != null && now.mayVoteSoon() && nanos - this.nextTrialNanos >= 0) {
			this.nextTrialNanos = nanos + PAUSE_BETWEEN_TRIALS.toNanos();
			suspicious.tryTestLock().whenComplete((silentBecause, failure) -> {
				ServerReport last = this.lastReport;
				if (state() != now) {
					return;
				}
				if (failure != null) {
					checkFailed(suspicious, failure);
				}
				else if (last != null) {
					warnOfSilence(silentBecause);
					this.lastReport = new ServerReport(last.facts(), last.history(), silentBecause);
				}
			});
		}
	}

	private void after(Duration delay, Runnable step) {
		this.timer.cancel();
		this.timer = this.context.loop().schedule(delay, () -> {
			if (!this.states.isClosed()) {
				step.run();
			}
		});
	}

}

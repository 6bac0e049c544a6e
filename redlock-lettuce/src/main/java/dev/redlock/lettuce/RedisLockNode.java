package dev.redlock.lettuce;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.redlock.Tick;
import dev.redlock.lettuce.internal.check.LettuceConnector;
import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.connection.NodeConnection;
import dev.redlock.lettuce.internal.script.LockScript;
import dev.redlock.lettuce.internal.script.ScriptCall;
import dev.redlock.lettuce.internal.state.NodeState;
import dev.redlock.lettuce.internal.state.NodeStateMachine;
import dev.redlock.spi.Claim;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Seen;
import dev.redlock.spi.Watch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock node on Redis, which votes on locks only while its state is ready. Each
 * operation runs one script, or one script for each hash slot of a cluster. Calls outside
 * the event loop are handed over to the event loop.
 */
final class RedisLockNode implements LockNode, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private static final Duration LONGEST_CLOSE = Duration.ofSeconds(1);

	private static final Faulted FORGOTTEN = new Faulted(Fault.STALE,
			"The server may have lost its data since the job was due", false);

	private final NodeContext context;

	private final EventLoop loop;

	private final NodeStateMachine machine;

	private final ReleaseSubscriptions subscriptions;

	RedisLockNode(LettuceConnector connector, NodeContext context, NodeListener listener) {
		this.context = context;
		this.loop = context.loop();
		this.subscriptions = new ReleaseSubscriptions(context);
		this.machine = new NodeStateMachine(connector, context, this.subscriptions::nodeConnected,
				(from, to) -> listener.nodeChanged(context.node(), from, to));
	}

	/**
	 * Connects the node, even after {@link #close}, without waiting for the connection.
	 */
	void start() {
		this.machine.start();
	}

	CompletableFuture<Void> firstVerdict() {
		return this.machine.firstVerdict();
	}

	NodeState state() {
		return this.machine.state();
	}

	@Nullable String evictionPolicy() {
		return this.machine.evictionPolicy();
	}

	@Override
	public String name() {
		return this.context.node();
	}

	@Override
	public boolean keepsAcknowledgedWrites() {
		return this.context.keepsAcknowledgedWrites();
	}

	@Override
	public NodeStatus status() {
		return state().status(this.context.ticker().nanoTime());
	}

	@Override
	public long missedNanos() {
		return this.context.pauses().missedNanos();
	}

	@Override
	public CompletionStage<Vote> acquire(Claim claim, long fence) {
		return vote((claim.succeeds() != null) ? LockScript.SUCCEED : LockScript.ACQUIRE, claim, fence);
	}

	@Override
	public CompletionStage<Vote> extend(Claim claim, long fence) {
		return vote(LockScript.EXTEND, claim, fence);
	}

	@Override
	public CompletionStage<Vote> restore(Claim claim, long fence) {
		return vote(LockScript.RESTORE, claim, fence);
	}

	@Override
	public CompletionStage<Vote> tick(Claim claim, Tick tick, boolean mark) {
		Claim told = new Claim(claim.keys(), tick.earliestMicros() + ":" + claim.token(), tick.remembered());
		long due = Math.max(1, tick.dueMicros());
		// After a data loss, a check stores when the loss happened, before the server
		// votes on locks again.
		return onLoop(() -> tick.mayBeForgotten(this.machine.noLossSinceMicros(), this.context.ticker().epochMicros())
				? CompletableFuture.completedFuture(FORGOTTEN) : voteNow(LockScript.TICK, told, mark ? due : -due));
	}

	@Override
	public CompletionStage<Vote> release(Claim claim, Duration keep, boolean announce) {
		// A release is sent in each state, as soon as a check has loaded the scripts,
		// because a node that may not vote on locks may still have the lock key.
		return onLoop(() -> {
			NodeState state = state();
			String channel = announce ? claim.channel() : null;
			List<String> keys = (channel != null) ? List.of(claim.keys().get(0), channel) : claim.keys();
			boolean shared = channel != null && !splits(state, keys);
			return run(state, new ScriptCall(LockScript.RELEASE, shared ? keys : claim.keys(), claim.token(),
					keep.toMillis(), shared ? 2 : announce ? 1 : 0));
		});
	}

	@Override
	public CompletionStage<Vote> inspect(String key) {
		return onLoop(() -> {
			NodeState state = state();
			return run(state, new ScriptCall(LockScript.INSPECT, List.of(key), "", 0, 0))
				.thenApply((vote) -> seen(state, (vote instanceof Seen seen) ? seen.keys().get(0) : vote));
		});
	}

	/**
	 * A node that may not vote may have forgotten a lock, so it cannot say that a key is
	 * free.
	 */
	private static Vote seen(NodeState state, Vote vote) {
		return (vote instanceof Granted && !state.allows(LockScript.INSPECT)) ? state.denial() : vote;
	}

	@Override
	public CompletionStage<Vote> inspectAll(List<String> keys) {
		return onLoop(() -> runIfAllowed(new ScriptCall(LockScript.INSPECT, keys, "", 0, 0)));
	}

	@Override
	public boolean announces() {
		return this.machine.announces();
	}

	/**
	 * Returns false for keys in several hash slots, because the release of a partly
	 * acquired lock is not announced.
	 */
	@Override
	public boolean announces(List<String> keys) {
		return announces() && !splits(state(), keys);
	}

	@Override
	public Watch watch(String key, ReleaseListener listener) {
		return this.subscriptions.watch(key, listener);
	}

	/**
	 * Disconnects the node, which may be started again. On any thread but the event loop,
	 * {@code close()} waits a short time for the connection to close.
	 */
	@Override
	public void close() {
		CompletableFuture<Void> closed = this.machine.close();
		try {
			if (!this.loop.inLoop()) {
				closed.get(LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.debug("Redlock node '{}' could not close its connection", name(), ex);
		}
	}

	private static CompletionStage<Vote> run(NodeState state, ScriptCall call) {
		NodeConnection connection = state.connection();
		return (connection != null) ? connection.run(call) : CompletableFuture.completedFuture(state.denial());
	}

	private static boolean splits(NodeState state, List<String> keys) {
		NodeConnection connection = state.connection();
		return connection != null && connection.splits(keys);
	}

	private CompletionStage<Vote> vote(LockScript script, Claim claim, long fence) {
		return onLoop(() -> voteNow(script, claim, fence));
	}

	private CompletionStage<Vote> voteNow(LockScript script, Claim claim, long fence) {
		return runIfAllowed(new ScriptCall(script, claim.keys(), claim.token(), claim.ttl().toMillis(), fence,
				(script == LockScript.SUCCEED) ? claim.succeeds() : null));
	}

	private CompletionStage<Vote> runIfAllowed(ScriptCall call) {
		NodeState state = state();
		return state.allows(call.script()) ? run(state, call) : CompletableFuture.completedFuture(state.denial());
	}

	private CompletionStage<Vote> onLoop(Supplier<CompletionStage<Vote>> operation) {
		if (this.loop.inLoop()) {
			return operation.get();
		}
		try {
			return CompletableFuture.supplyAsync(operation, this.loop).thenCompose(Function.identity());
		}
		catch (RejectedExecutionException ex) {
			return CompletableFuture.completedFuture(state().denial());
		}
	}

}

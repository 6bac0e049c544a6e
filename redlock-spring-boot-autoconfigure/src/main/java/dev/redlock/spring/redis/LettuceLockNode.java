package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import dev.redlock.spi.Claim;
import dev.redlock.spi.NodeListener;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Watch;
import io.lettuce.core.AbstractRedisClient;
import org.jspecify.annotations.Nullable;

/**
 * A node over one Lettuce connection of its own: asynchronous, in order, at most once.
 */
final class LettuceLockNode implements SupervisedNode {

	private final String name;

	private final String keyPrefix;

	private final Ticker ticker;

	private final StandingBoard board;

	private final ConnectionKeeper keeper;

	private final Announcements announcements;

	LettuceLockNode(String name, AbstractRedisClient client, NodeSettings settings, ServerRegistry registry,
			ScriptEncoder encoder, Scheduler scheduler, Executor executor, Ticker ticker, NodeListener listener) {
		this.name = name;
		this.keyPrefix = settings.keyPrefix();
		this.ticker = ticker;
		this.board = new StandingBoard(name, ticker, listener);
		this.announcements = new Announcements(name, NodeClient.listening(client), scheduler, executor);
		NodeSupervisor supervisor = new NodeSupervisor(name, this.board, registry, settings, scheduler, ticker,
				this.announcements::nodeIsUp);
		this.keeper = new ConnectionKeeper(name, NodeClient.connector(client, settings, encoder, scheduler, ticker),
				scheduler, executor, supervisor);
		supervisor.superviseWith(this.keeper);
	}

	@Override
	public void start() {
		this.keeper.start();
	}

	@Override
	public CompletionStage<Void> firstVerdict() {
		return this.board.firstVerdict();
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public NodeStatus status() {
		return this.board.now().status(this.ticker.nanoTime());
	}

	@Override
	public CompletionStage<Vote> acquire(Claim claim, long fence) {
		return vote(LockScript.ACQUIRE, claim, fence);
	}

	@Override
	public CompletionStage<Vote> raise(Claim claim, long fence) {
		return vote(LockScript.RAISE, claim, fence);
	}

	@Override
	public CompletionStage<Vote> extend(Claim claim, long fence) {
		return vote(LockScript.EXTEND, claim, fence);
	}

	@Override
	public CompletionStage<Vote> plant(Claim claim, long fence) {
		return vote(LockScript.PLANT, claim, fence);
	}

	@Override
	public CompletionStage<Vote> transfer(Claim former, Claim claim, long fence) {
		return vote(LockScript.TRANSFER, LockScript.transfer(former, claim), fence);
	}

	@Override
	public CompletionStage<Vote> release(Claim claim, Duration keep, boolean announce) {
		// Sent in every state that has a connection: a node that may not vote may still
		// hold a key that is to go.
		return run(this.board.now(), LockScript.RELEASE, claim.keys(), claim.token(), keep.toMillis(),
				announce ? 1 : 0);
	}

	@Override
	public Watch watch(String key, ReleaseListener listener) {
		return this.announcements.watch(key, listener);
	}

	@Override
	public CompletionStage<Vote> inspect(String key) {
		return run(this.board.now(), LockScript.INSPECT, List.of(key), "", 0, 0);
	}

	@Override
	public CompletableFuture<@Nullable String> marker() {
		Links links = this.board.now().links();
		return (links != null) ? links.aboutNode(this.keyPrefix).marker(this.keyPrefix)
				: CompletableFuture.completedFuture(null);
	}

	@Override
	public CompletableFuture<@Nullable List<String>> exchange(String nodeList, Duration lasting) {
		Links links = this.board.now().links();
		return (links != null) ? links.aboutNode(this.keyPrefix).exchange(this.keyPrefix, nodeList, lasting)
				: CompletableFuture.completedFuture(null);
	}

	@Override
	public void close() {
		this.board.close();
		this.announcements.nodeIsUp(false);
		this.keeper.close();
	}

	private CompletionStage<Vote> vote(LockScript script, Claim claim, long fence) {
		Standing standing = this.board.now();
		if (standing.state() != State.READY) {
			return CompletableFuture.completedFuture(standing.denial());
		}
		return run(standing, script, claim.keys(), claim.token(), claim.ttl().toMillis(), fence);
	}

	private static CompletionStage<Vote> run(Standing standing, LockScript script, List<String> keys, String token,
			long millis, long fence) {
		Links links = standing.links();
		if (links == null) {
			return CompletableFuture.completedFuture(standing.denial());
		}
		ServerLink link = links.serving(keys);
		if (link != null) {
			return link.run(script, keys, token, millis, fence);
		}
		return new SplitClaim(links.route(keys), token, millis).run(script, fence);
	}

}

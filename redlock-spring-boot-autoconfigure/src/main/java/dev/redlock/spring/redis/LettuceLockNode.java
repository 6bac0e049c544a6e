package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import dev.redlock.spi.NodeListener;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Watch;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import org.jspecify.annotations.Nullable;

/**
 * A node over one Lettuce connection of its own: asynchronous, in order, at most once.
 */
final class LettuceLockNode extends ScriptNode {

	private final String keyPrefix;

	private final ConnectionKeeper keeper;

	private final Announcements announcements;

	LettuceLockNode(String name, AbstractRedisClient client, NodeSettings settings, ServerRegistry registry,
			ScriptEncoder encoder, Scheduler scheduler, Executor executor, Ticker ticker, NodeListener listener) {
		super(name, ticker, listener);
		this.keyPrefix = settings.keyPrefix();
		this.announcements = new Announcements(name, NodeClient.listening(client), scheduler, executor);
		Rehearsal rehearsal = new Rehearsal(name, settings.keyPrefix(), client instanceof RedisClusterClient,
				NodeClient.listening(client), executor);
		NodeSupervisor supervisor = new NodeSupervisor(name, board(), registry, settings, scheduler, ticker,
				(reachable) -> {
					this.announcements.nodeIsUp(reachable);
					if (reachable) {
						rehearsal.connected();
					}
				});
		this.keeper = new ConnectionKeeper(name, NodeClient.connector(client, settings, encoder, scheduler, ticker),
				scheduler, executor, supervisor);
		supervisor.superviseWith(this.keeper);
	}

	@Override
	public void start() {
		this.keeper.start();
	}

	@Override
	CompletionStage<Vote> run(Standing standing, LockScript script, List<String> keys, String token, long millis,
			long fence) {
		Links links = standing.links();
		if (links == null) {
			return CompletableFuture.completedFuture(standing.denial());
		}
		CompletionStage<Vote> vote = send(links, script, keys, token, millis, fence);
		Standing now = board().now();
		if (script.bound() && now != standing) {
			// The thread may have stood still since it looked, and what it sent may look
			// at
			// the marker of another life of the server. Its answer does not count.
			Faulted denial = now.denial();
			return CompletableFuture.completedFuture(new Faulted(denial.fault(), denial.detail(), true));
		}
		return vote;
	}

	private static CompletionStage<Vote> send(Links links, LockScript script, List<String> keys, String token,
			long millis, long fence) {
		ServerLink link = links.serving(keys);
		if (link != null) {
			return link.run(script, keys, token, millis, fence);
		}
		return new SplitClaim(links.route(keys), token, millis).run(script, fence);
	}

	@Override
	public Watch watch(String key, ReleaseListener listener) {
		return this.announcements.watch(key, listener);
	}

	@Override
	public CompletableFuture<@Nullable String> marker() {
		Links links = board().now().links();
		return (links != null) ? links.aboutNode(this.keyPrefix).marker(this.keyPrefix)
				: CompletableFuture.completedFuture(null);
	}

	@Override
	public CompletableFuture<@Nullable List<String>> exchange(String nodeList, Duration lasting) {
		Links links = board().now().links();
		return (links != null) ? links.aboutNode(this.keyPrefix).exchange(this.keyPrefix, nodeList, lasting)
				: CompletableFuture.completedFuture(null);
	}

	@Override
	public void close() {
		board().close();
		this.announcements.nodeIsUp(false);
		this.keeper.close();
	}

}

package dev.redlock.test.lateholder;

import java.time.Duration;
import java.util.List;

import dev.redlock.Inspection.Verdict;
import dev.redlock.Redlock;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;

/**
 * Real Redis servers, which are frozen until each lease has expired, so that no lease is
 * renewed.
 */
final class EmbeddedServers implements Servers {

	private final RedisNodes nodes;

	private final Redlock redlock;

	EmbeddedServers(RedisNodes nodes, Redlock redlock) {
		this.nodes = nodes;
		this.redlock = redlock;
	}

	@Override
	public void expire() {
		List<String> held = this.redlock.leases().stream().flatMap((lease) -> lease.resources().stream()).toList();
		Duration bound = this.redlock.settings().maxTtl().multipliedBy(2);
		this.nodes.asList().forEach(RedisNode::freeze);
		await("each lease has expired", bound, () -> this.redlock.leases().isEmpty());
		this.nodes.asList().forEach(RedisNode::thaw);
		await("the servers answer again", bound, () -> this.redlock.quorum().isReached());
		// The servers keep a lock a little longer than its holder trusts it.
		await("the servers have forgotten " + held, bound, () -> held.stream().allMatch(this::isFree));
	}

	private boolean isFree(String resource) {
		// A leader may hold its lease again at this time.
		return this.redlock.leases().stream().anyMatch((lease) -> lease.resources().contains(resource))
				|| this.redlock.inspect(resource).toCompletableFuture().join().verdict() == Verdict.FREE;
	}

}

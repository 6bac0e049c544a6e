package dev.redlock.test.lateholder;

import java.time.Duration;
import java.util.List;

import dev.redlock.Inspection.Verdict;
import dev.redlock.Redlock;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;

/**
 * Real Redis servers for a test with {@link LateHolder}. To let leases expire, the
 * servers are frozen, so that no lease is renewed.
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
		// The servers store a lock slightly longer than its lease is valid, so the test
		// waits until the keys are gone.
		await("the servers have forgotten " + held, bound, () -> held.stream().allMatch(this::isFree));
	}

	private boolean isFree(String resource) {
		// A new lease of this process, for example as a leader, proves that the former
		// lock has expired.
		return this.redlock.leases().stream().anyMatch((lease) -> lease.resources().contains(resource))
				|| this.redlock.inspect(resource).toCompletableFuture().join().verdict() == Verdict.FREE;
	}

}

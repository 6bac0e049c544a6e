package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lease that is written again on a node that has lost it, and handed over meanwhile.
 */
class HealAgainstHandOverTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final LockRequest STOCK = LockRequest.of("stock").withTtl(LONG);

	@Test
	void aLeaseThatIsHandedOverWhileANodeIsBeingHealedBlocksNoNode() {
		RedlockFixture fixture = new RedlockFixture(5);
		List<CountingNode> nodes = fixture.nodes.stream().map(CountingNode::new).toList();
		Redlock here = fixture.over(nodes, RedlockFixture.settings(), 2).build();
		Redlock there = fixture.another(RedlockFixture.settings(), 3);
		Lease lease = here.attempt(STOCK).toCompletableFuture().join().orThrow();
		fixture.nodes.get(0).forget();
		nodes.get(0).beforeRestore = () -> there.takeUp(lease.handOver())
			.thenAccept((attempt) -> attempt.orThrow().close());
		lease.extendAsync(LONG);
		fixture.time.advance(Duration.ofSeconds(2));
		assertThat(fixture.heldOn("stock")).as("nodes that are blocked by a lease that has ended").isZero();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aLeaseThatIsHandedOverWhileItsHealingIsUnderWayBlocksNoNode(boolean onTheLoop) {
		DistantServers servers = new DistantServers(1);
		List<DelayedNode> connections = servers.connect();
		connections.get(0).delay = Duration.ofMillis(10);
		Redlock here = servers.process(connections);
		Redlock there = servers.process();
		CompletableFuture<LockAttempt> held = here.attempt(STOCK).toCompletableFuture();
		servers.time.advance(Duration.ofSeconds(1));
		Lease lease = held.join().orThrow();
		servers.servers.get(0).forget();
		lease.extendAsync(LONG);
		// Until the slow node has said that it has lost the lease.
		servers.time.advance(Duration.ofMillis(31));
		AtomicReference<String> ticket = new AtomicReference<>();
		if (onTheLoop) {
			servers.time.post(() -> ticket.set(lease.handOver()));
		}
		else {
			ticket.set(lease.handOver());
		}
		CompletableFuture<LockAttempt> taken = there.takeUp(ticket.get()).toCompletableFuture();
		servers.time.advance(Duration.ofSeconds(1));
		assertThat(taken).isCompleted();
		taken.join().orThrow().close();
		servers.time.advance(Duration.ofSeconds(2));
		assertThat(servers.heldOn("redlock:stock")).as("nodes that are blocked by a lease that has ended").isZero();
	}

}

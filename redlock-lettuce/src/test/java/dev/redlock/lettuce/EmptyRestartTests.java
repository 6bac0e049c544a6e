package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import io.lettuce.core.SetArgs;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.settings;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lock is held on exactly three of five nodes, and one of the three is killed without
 * persistence and comes back empty.
 */
class EmptyRestartTests {

	private static final Duration MAX_TTL = Duration.ofSeconds(3);

	private static final Duration LONG_TTL = Duration.ofMinutes(5);

	private final List<RedisProcess> servers = new ArrayList<>();

	private final NodeFixture first = new NodeFixture();

	private final NodeFixture second = new NodeFixture();

	@BeforeEach
	void setUp() {
		for (int i = 0; i < 5; i++) {
			this.servers.add(RedisProcess.start());
		}
	}

	@AfterEach
	void tearDown() {
		this.first.close();
		this.second.close();
		this.servers.forEach(RedisProcess::close);
	}

	@Test
	void aRunningClientGetsNoLockUntilTheFirstIsGone() {
		List<LockNode> nodes = nodes(this.first, settings(true, MAX_TTL));
		List<LockNode> others = nodes(this.second, settings(true, MAX_TTL));
		ready(nodes);
		ready(others);
		Lease lease = heldOnThree(redlock(this.first, nodes, MAX_TTL));
		this.servers.get(2).restart();
		assertNoLockWhile(lease, redlock(this.second, others, MAX_TTL));
	}

	@Test
	void aFreshClientGetsNoLockUntilTheFirstIsGone() {
		List<LockNode> nodes = nodes(this.first, settings(true, MAX_TTL));
		ready(nodes);
		Lease lease = heldOnThree(redlock(this.first, nodes, MAX_TTL));
		this.servers.get(2).restart();
		List<LockNode> others = nodes(this.second, settings(true, MAX_TTL));
		others.forEach((node) -> await(node, node.name().equals("n2") ? State.QUARANTINED : State.READY));
		assertNoLockWhile(lease, redlock(this.second, others, MAX_TTL));
	}

	@Test
	void withTheGuardOffTheSecondGetsTheLockThatTheFirstStillHolds() {
		List<LockNode> nodes = nodes(this.first, settings(false, LONG_TTL));
		List<LockNode> others = nodes(this.second, settings(false, LONG_TTL));
		ready(nodes);
		ready(others);
		Lease lease = heldOnThree(redlock(this.first, nodes, LONG_TTL));
		this.servers.get(2).restart();
		Redlock redlock = redlock(this.second, others, LONG_TTL);
		Awaitility.await()
			.atMost(NodeFixture.BOUND)
			.until(() -> redlock.attemptAndWait(LockRequest.of("r")).lease().isPresent());
		assertThat(lease.isValid()).isTrue();
	}

	private static void assertNoLockWhile(Lease lease, Redlock redlock) {
		// A machine that is too slow for this story has nothing to tell.
		boolean inTime = lease.remaining().compareTo(Duration.ofMillis(500)) > 0;
		int[] refused = new int[1];
		Awaitility.await().atMost(NodeFixture.BOUND).pollInterval(Duration.ofMillis(10)).until(() -> {
			boolean got = redlock.attemptAndWait(LockRequest.of("r")).lease().isPresent();
			assertThat(got && lease.isValid()).isFalse();
			refused[0] += got ? 0 : 1;
			return got;
		});
		assertThat(refused[0] > 0 || !inTime).isTrue();
	}

	private Lease heldOnThree(Redlock redlock) {
		SetArgs aMinute = SetArgs.Builder.ex(60);
		this.servers.subList(3, 5).forEach((server) -> server.ask((redis) -> redis.set("r", "other", aMinute)));
		Lease lease = redlock.attemptAndWait(LockRequest.of("r")).orThrow();
		this.servers.subList(3, 5).forEach((server) -> server.ask((redis) -> redis.del("r")));
		return lease;
	}

	private List<LockNode> nodes(NodeFixture fixture, NodeSettings settings) {
		List<LockNode> nodes = new ArrayList<>();
		for (int i = 0; i < this.servers.size(); i++) {
			nodes.add(fixture.lettuce("n" + i, this.servers.get(i).uri(), settings));
		}
		return nodes;
	}

	private static void ready(List<LockNode> nodes) {
		nodes.forEach((node) -> await(node, State.READY));
	}

	private static Redlock redlock(NodeFixture fixture, List<LockNode> nodes, Duration ttl) {
		RedlockSettings settings = RedlockSettings.builder()
			.keyPrefix("")
			.ttl(ttl)
			.maxTtl(ttl)
			.waitFor(Duration.ZERO)
			.retryCount(0)
			.nodeTimeout(Duration.ofMillis(500))
			.build();
		return Redlock.over(nodes)
			.settings(settings)
			.ticker(fixture.ticker)
			.loop(fixture.loop)
			.random(new SplittableRandom())
			.callbacks(Runnable::run)
			.build();
	}

}

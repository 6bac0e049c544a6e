package dev.redlock.lettuce;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote.Granted;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.fresh;
import static dev.redlock.lettuce.NodeFixture.unguarded;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers whose place another one may take.
 */
@ExtendWith(OutputCaptureExtension.class)
class FailoverTests {

	private static final Duration SHORT_TTL = Duration.ofSeconds(1);

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	private final AtomicInteger timesReady = new AtomicInteger();

	@BeforeEach
	void countReadyNodes() {
		this.fixture.listener = (node, from, to) -> {
			if (to.state() == State.READY) {
				this.timesReady.incrementAndGet();
			}
		};
	}

	@Test
	void aMasterWithAReplicaIsToldOfOncePerChange(CapturedOutput output) {
		RedisProcess master = this.fixture.server();
		RedisProcess replica = replicaOf(master);
		await(this.fixture.lettuce("a", master.uri(), fresh("", SHORT_TTL)), State.READY);
		await(() -> this.timesReady.get() == 1);
		assertThat(output).contains("Redlock node 'a' has 1 replica. A failover may lose the latest locks")
			.contains("after a failover the node does not vote for 1510 ms")
			.contains("Make each replica an independent master and an instance of its own");
		checkAgain(master);
		assertThat(output.getOut().split("has 1 replica")).hasSize(2);
		replica.kill();
		awaitReplicas(master, 0);
		checkAgain(master);
		assertThat(output).contains("Redlock node 'a' has no replicas any more");
	}

	@Test
	void withTheGuardOffTheWarningSaysThatALockCanHaveTwoHolders(CapturedOutput output) {
		RedisProcess master = this.fixture.server();
		replicaOf(master);
		await(this.fixture.lettuce("a", master.uri(), unguarded()), State.READY);
		assertThat(output).contains("restart-guard.enabled is false").contains("two holders");
	}

	@Test
	void aReplicaIsUnfitAndSaysWhatThatMeans(CapturedOutput output) {
		RedisProcess replica = replicaOf(this.fixture.server());
		LockNode node = await(this.fixture.lettuce("a", replica.uri(), fresh("", SHORT_TTL)), State.UNFIT);
		assertThat(node.status().reason()).contains("The server is a replica (role:slave)")
			.contains("may lack the last locks of its master")
			.contains("Set the address of the instance to a master");
		assertThat(output).contains("Redlock node 'a' is not fit for locks").contains("role:slave");
	}

	@Test
	void aClusterIsToldOf(CapturedOutput output) {
		RedisProcess member = this.fixture.server("--cluster-enabled", "yes");
		member.takeAllSlots();
		await(this.fixture.cluster("c", member.uri(), unguarded()), State.READY);
		assertThat(output).contains("Redlock node 'c' is a Redis Cluster and has 0 replicas.")
			.contains("independent masters, each an instance of its own");
	}

	@Test
	void aServerThatSentinelPromotedIsQuarantined(CapturedOutput output) {
		RedisProcess master = this.fixture.server();
		RedisProcess replica = replicaOf(master);
		RedisProcess sentinel = this.fixture.closing(RedisProcess.startSentinel(master));
		RedisURI uri = RedisURI.Builder.sentinel("127.0.0.1", sentinel.port(), "locks").build();
		LockNode node = await(this.fixture.lettuce("s", uri, fresh("", SHORT_TTL)), State.READY);
		assertThat(output).contains("Redlock node 's' has 1 replica.");
		master.kill();
		await(node, State.UNAVAILABLE);
		await(node, State.QUARANTINED);
		assertThat(node.status().reason()).contains("another server took its place");
		await(node, State.READY);
		assertThat(vote(node.acquire(claim("k", "t"), this.fixture.fence()))).isInstanceOf(Granted.class);
		assertThat(replica.<String>ask((commands) -> commands.get("k"))).isEqualTo("t");
	}

	private RedisProcess replicaOf(RedisProcess master) {
		RedisProcess replica = this.fixture.server("--repl-diskless-load", "on-empty-db");
		replica.follow(master);
		awaitReplicas(master, 1);
		return replica;
	}

	private static void awaitReplicas(RedisProcess master, int count) {
		await(() -> master.ask((commands) -> commands.info("replication").contains("connected_slaves:" + count)));
	}

	/**
	 * Breaks the node's connection: it comes back with a new check. Its states are
	 * counted, since they may pass sooner than a loaded machine looks at them.
	 */
	private void checkAgain(RedisProcess master) {
		int before = this.timesReady.get();
		master.ask((commands) -> commands.clientKill(KillArgs.Builder.typeNormal().skipme()));
		await(() -> this.timesReady.get() > before);
	}

}

package dev.redlock.lettuce;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;
import dev.redlock.spi.Watch;
import io.lettuce.core.RedisURI;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.awaitChecked;
import static dev.redlock.lettuce.NodeFixture.settings;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A cluster of three masters that counts as one node.
 */
@TestInstance(Lifecycle.PER_CLASS)
class ClusterNodeFaultTests {

	private static final int[] FIRST_SLOTS = { 0, 5461, 10923, 16384 };

	private static final NodeSettings GUARDED = settings(true, Duration.ofSeconds(2));

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	private LockNode node;

	@BeforeAll
	void setUp() {
		for (int i = 0; i < 3; i++) {
			RedisProcess master = this.fixture.server("--cluster-enabled", "yes", "--cluster-node-timeout", "1000",
					"--cluster-require-full-coverage", "no");
			int[] slots = IntStream.range(FIRST_SLOTS[i], FIRST_SLOTS[i + 1]).toArray();
			master.ask((commands) -> commands.clusterAddSlots(slots));
			master.ask((commands) -> commands.clusterSetConfigEpoch(this.fixture.servers.size()));
			master.ask((commands) -> commands.clusterMeet("127.0.0.1", this.fixture.servers.get(0).port()));
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> this.fixture.servers.stream().allMatch((master) -> master.ask((commands) -> {
				String info = commands.clusterInfo();
				return info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:16384");
			})));
		RedisURI uri = this.fixture.servers.get(0).uri();
		uri.setTimeout(Duration.ofSeconds(1));
		this.node = await(this.fixture.cluster("cluster", uri, GUARDED), State.READY);
	}

	@Test
	void aClaimOverSeveralMastersIsAllOrNothingAndNotSaidToBeAnnounced() {
		List<String> keys = keys("a");
		assertThat(this.node.announces(keys)).isFalse();
		assertThat(this.node.announces(List.of("{tag}:one", "{tag}:other"))).isTrue();
		long fence = this.fixture.fence();
		assertThat(vote(this.node.acquire(claim("t1", keys), fence))).isInstanceOf(Granted.class);
		assertThat(vote(this.node.extend(claim("t1", keys), fence))).isInstanceOf(Granted.class);
		assertThat(vote(this.node.release(claim("t1", keys), Duration.ZERO))).isInstanceOf(Granted.class);
		assertThat(vote(this.node.acquire(claim("t2", keys.subList(5, 6)), fence))).isInstanceOf(Granted.class);
		assertThat(((Refused) vote(this.node.acquire(claim("t3", keys), fence))).why()).isEqualTo(Refusal.HELD);
		for (String key : keys) {
			assertThat(vote(this.node.inspect(key)) instanceof Granted).isEqualTo(!key.equals(keys.get(5)));
		}
	}

	@Test
	void aHandOverAndAReleaseOverSeveralMastersTellOfAllListeners() {
		List<String> keys = keys("b");
		for (String key : List.of(keys.get(0), keys.get(11))) {
			Watch watch = this.node.watch(key, NodeFixture.IGNORING);
			await(watch::isListening);
			assertThat(vote(this.node.acquire(claim("t1", keys), this.fixture.fence()))).isInstanceOf(Granted.class);
			Claim next = claim("t2", keys).succeeding(new Claim.Predecessor("t1", this.fixture.fence(), false));
			assertThat(((Granted) vote(this.node.acquire(next, this.fixture.fence()))).listeners()).isOne();
			assertThat(((Granted) vote(this.node.release(next, Duration.ZERO))).listeners()).isOne();
			watch.close();
		}
	}

	@Test
	void theLossOfOneMasterLeavesNothingOnTheOthersAndItsReturnIsNoticed() {
		List<String> keys = keys("c");
		this.fixture.servers.get(2).kill();
		await(this.node, State.UNAVAILABLE);
		await(() -> vote(this.node.acquire(claim("t1", keys), this.fixture.fence())) instanceof Faulted faulted
				&& faulted.fault() == Fault.UNAVAILABLE);
		this.fixture.servers.get(2).startAgain();
		await(this.node, State.QUARANTINED);
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> vote(this.node.acquire(claim("t2", keys), this.fixture.fence())) instanceof Granted);
	}

	@Test
	void aFreshClientDoesNotWaitForMastersThatOthersHaveKnownForLong() {
		RedisURI uri = this.fixture.servers.get(1).uri();
		uri.setTimeout(Duration.ofSeconds(1));
		try (NodeFixture fresh = new NodeFixture()) {
			assertThat(awaitChecked(fresh.cluster("other", uri, GUARDED))).isEqualTo(State.READY);
		}
	}

	private static List<String> keys(String name) {
		return IntStream.range(0, 12).mapToObj((i) -> name + i).toList();
	}

	private static Claim claim(String token, List<String> keys) {
		return new Claim(keys, token, Duration.ofSeconds(30));
	}

}

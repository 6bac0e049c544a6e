package dev.redlock.lettuce;

import java.time.Duration;
import java.util.List;

import dev.redlock.Lease;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.script.Marker;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote.Granted;
import io.lettuce.core.SetArgs;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.redlock.lettuce.NodeFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The settings of a server change while its node is ready. What nodes do every 5 to 30 s
 * happens a hundred times as often here.
 */
@ExtendWith(OutputCaptureExtension.class)
class RunTimeChangeTests {

	private static final Duration MAX_TTL = Duration.ofSeconds(60);

	private static final NodeSettings SETTINGS = NodeFixture.fresh("", MAX_TTL);

	@AutoClose
	private final NodeFixture fixture = new NodeFixture().lookSooner();

	private final RedisProcess redis = this.fixture.server();

	@Test
	void aLockThatIsEvictedAfterThePolicyWasChangedIsNotHeldTwice() {
		try (TwoClients clients = new TwoClients(SETTINGS)) {
			TwoClients.Client first = clients.connect().awaitReady();
			TwoClients.Client second = clients.connect().awaitReady();
			Lease lease = clients.holdOnABareMajority(first);
			RedisProcess server = clients.server(TwoClients.FORGETFUL);
			set(server, "maxmemory-policy", "volatile-ttl");
			awaitLooks(second.nodes().get(TwoClients.FORGETFUL));
			evict(server);
			boolean got = second.attempt().lease().isPresent();
			assertThat(got && lease.isValid())
				.as("two leases are valid, the first one for another %s", lease.remaining())
				.isFalse();
		}
	}

	@Test
	void aServerThatIsNoLongerFitIsReleasedAtOnceAndFitAgainOverANewConnection() {
		// The pause before the next connection keeps its length, and covers the release.
		NodeFixture nodes = this.fixture.lookSooner(NodeSettings.CHECK_INTERVAL);
		LockNode node = await(nodes.lettuce("a", this.redis.uri(), SETTINGS), State.READY);
		Claim claim = NodeFixture.claim("k", "t");
		assertThat(NodeFixture.vote(node.acquire(claim, this.fixture.fence()))).isInstanceOf(Granted.class);
		set(this.redis, "maxmemory-policy", "volatile-ttl");
		await(node, State.UNFIT);
		assertThat(NodeFixture.vote(node.release(claim, Duration.ZERO))).isInstanceOf(Granted.class);
		assertThat(this.redis.<String>ask((commands) -> commands.get("k"))).isNull();
		set(this.redis, "maxmemory-policy", "noeviction");
		await(node, State.QUARANTINED);
	}

	/**
	 * A client that starts later reads this record.
	 */
	@Test
	void anEvictionThatAClientHasNoticedIsRecordedOnTheServer() {
		LockNode node = await(this.fixture.lettuce("a", this.redis.uri(), SETTINGS), State.READY);
		String before = record();
		this.redis.ask((commands) -> commands.set("k", "v", SetArgs.Builder.ex(60)));
		set(this.redis, "maxmemory-policy", "volatile-ttl");
		evict(this.redis);
		set(this.redis, "maxmemory-policy", "noeviction");
		await(node, State.QUARANTINED);
		assertThat(record()).isNotEqualTo(before);
	}

	@Test
	void aServerThatBecameAReplicaIsUnfitAndWaitsWhenItIsAMasterAgain() {
		RedisProcess master = this.fixture.server();
		LockNode node = await(this.fixture.lettuce("a", this.redis.uri(), SETTINGS), State.READY);
		this.redis.ask((commands) -> commands.replicaof("127.0.0.1", master.port()));
		await(node, State.UNFIT);
		assertThat(node.status().reason()).startsWith("The server is a replica");
		this.redis.ask((commands) -> commands.replicaofNoOne());
		await(node, State.QUARANTINED);
	}

	private String record() {
		return this.redis.<String>ask((commands) -> commands.get(Marker.sinceKey("")));
	}

	/**
	 * Waits until the node no longer votes, or for far longer than it takes to look: what
	 * follows then tells what comes of that.
	 */
	private static void awaitLooks(LockNode node) {
		try {
			await(node, State.UNFIT);
		}
		catch (ConditionTimeoutException ex) {
			assertThat(node.status().state()).isEqualTo(State.READY);
		}
	}

	/**
	 * Takes all keys away that have a ttl.
	 */
	private static void evict(RedisProcess server) {
		set(server, "maxmemory", "1");
		await(() -> !server.<String>ask((commands) -> commands.info("keyspace")).matches("(?s).*expires=[1-9].*"));
		set(server, "maxmemory", "0");
	}

	private static void set(RedisProcess server, String setting, String value) {
		assertThat(List.of(server.<String>ask((commands) -> commands.configSet(setting, value)))).containsExactly("OK");
	}

}

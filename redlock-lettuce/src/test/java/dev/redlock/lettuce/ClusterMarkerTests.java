package dev.redlock.lettuce;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.script.Marker;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the marker tells of a cluster whose slots are all on one master, and of one with
 * several.
 */
class ClusterMarkerTests {

	private static final Duration TTL = Duration.ofSeconds(30);

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	@ParameterizedTest
	@ValueSource(strings = { "redlock:", "l'été\"\\]]:" })
	void oneShardThatWasFlushedDoesNotVoteUntilItsLocksHaveExpired(String prefix) {
		RedisProcess shard = start();
		shard.takeAllSlots();
		LockNode node = node(shard, prefix);
		Claim several = new Claim(List.of(prefix + "a", prefix + "b", prefix + "c"), "t1", TTL);
		assertThat(vote(node.acquire(several, this.fixture.fence()))).isInstanceOf(Granted.class);
		shard.ask((commands) -> commands.flushall());
		assertThat(vote(node.acquire(new Claim(several.keys(), "t2", TTL), this.fixture.fence())))
			.isInstanceOfSatisfying(Faulted.class, (faulted) -> assertThat(faulted.fault()).isEqualTo(Fault.STALE));
		assertThat(shard.<Long>ask((commands) -> commands.exists(prefix + "a"))).isZero();
		await(node, State.QUARANTINED);
		await(node, State.READY);
		assertThat(vote(node.acquire(new Claim(several.keys(), "t3", TTL), this.fixture.fence())))
			.isInstanceOf(Granted.class);
	}

	@Test
	void ofSeveralShardsTheFlushOfOneIsNotNoticedByAClaim() {
		int middle = SlotHash.SLOT_COUNT / 2;
		boolean markerIsBelow = SlotHash.getSlot(Marker.key("")) < middle;
		RedisProcess withMarker = start();
		RedisProcess other = start();
		takeSlots(withMarker, 1, markerIsBelow ? 0 : middle, markerIsBelow ? middle : SlotHash.SLOT_COUNT);
		takeSlots(other, 2, markerIsBelow ? middle : 0, markerIsBelow ? SlotHash.SLOT_COUNT : middle);
		other.ask((commands) -> commands.clusterMeet("127.0.0.1", withMarker.port()));
		await(() -> this.fixture.servers.stream()
			.allMatch((member) -> member.ask((commands) -> commands.clusterInfo().contains("cluster_state:ok")
					&& commands.clusterInfo().contains("cluster_size:2"))));
		LockNode node = node(withMarker, "");
		String key = IntStream.range(0, 100)
			.mapToObj((i) -> "k" + i)
			.filter((name) -> (SlotHash.getSlot(name) < middle) != markerIsBelow)
			.findFirst()
			.orElseThrow();
		assertThat(vote(node.acquire(new Claim(List.of(key), "t1", TTL), this.fixture.fence())))
			.isInstanceOf(Granted.class);
		other.ask((commands) -> commands.flushall());
		assertThat(vote(node.acquire(new Claim(List.of(key), "t2", TTL), this.fixture.fence())))
			.isInstanceOf(Granted.class);
	}

	@Test
	void aShardThatGivesTheMarkerAwayIsConnectedAnew() {
		RedisProcess shard = start();
		shard.takeAllSlots();
		LockNode node = node(shard, "");
		RedisProcess other = start();
		String owner = other.ask((commands) -> commands.clusterMyId());
		other.ask((commands) -> commands.clusterMeet("127.0.0.1", shard.port()));
		await(() -> shard.ask((commands) -> commands.clusterNodes().contains(owner)));
		int slot = SlotHash.getSlot(Marker.key(""));
		shard.ask((commands) -> {
			commands.del(Marker.key(""), Marker.sinceKey(""), Marker.clientsKey(""));
			return commands.clusterSetSlotNode(slot, owner);
		});
		other.ask((commands) -> commands.clusterSetSlotNode(slot, owner));
		assertThat(vote(node.acquire(new Claim(List.of("k"), "t", TTL), this.fixture.fence())))
			.isNotInstanceOf(Granted.class);
		await(node, State.QUARANTINED);
		await(node, State.READY);
		assertThat(vote(node.acquire(new Claim(List.of("k"), "t", TTL), this.fixture.fence())))
			.isInstanceOf(Granted.class);
	}

	private LockNode node(RedisProcess member, String prefix) {
		RedisURI uri = member.uri();
		uri.setTimeout(Duration.ofSeconds(1));
		NodeSettings settings = NodeFixture.fresh(prefix, Duration.ofSeconds(2));
		return await(this.fixture.cluster("cluster", uri, settings), State.READY);
	}

	private RedisProcess start() {
		return this.fixture.server("--cluster-enabled", "yes");
	}

	private static void takeSlots(RedisProcess member, int epoch, int from, int to) {
		member.ask((commands) -> commands.clusterAddSlots(IntStream.range(from, to).toArray()));
		member.ask((commands) -> commands.clusterSetConfigEpoch(epoch));
	}

}

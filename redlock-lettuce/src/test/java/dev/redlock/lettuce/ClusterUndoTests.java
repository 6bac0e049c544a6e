package dev.redlock.lettuce;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.lettuce.internal.script.Channels;
import dev.redlock.lettuce.internal.script.LockScript;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.core.script.DigestUtils;

import static dev.redlock.lettuce.NodeFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A request for two names on two masters of a cluster, of which one is held.
 */
class ClusterUndoTests {

	private static final Duration TTL = Duration.ofMinutes(5);

	/** The masters of these names are the first and the second one. */
	private static final List<String> NAMES = List.of("b", "a");

	private static final String RELEASE = DigestUtils
		.sha1DigestAsHex(LockScript.RELEASE.text("", null, Channels.SHARDED));

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	private EditingProxy proxy;

	private LockNode node;

	@BeforeEach
	void startCluster() {
		int[] firstSlots = { 0, 8192, 16384 };
		for (int i = 0; i < 2; i++) {
			RedisProcess master = this.fixture.server("--cluster-enabled", "yes");
			int[] slots = IntStream.range(firstSlots[i], firstSlots[i + 1]).toArray();
			master.ask((commands) -> commands.clusterAddSlots(slots));
			master.ask((commands) -> commands.clusterSetConfigEpoch(this.fixture.servers.size()));
		}
		RedisProcess first = this.fixture.servers.get(0);
		RedisProcess second = this.fixture.servers.get(1);
		this.proxy = this.fixture.proxy(first);
		first.ask((commands) -> commands.configSet("cluster-announce-port", String.valueOf(this.proxy.port())));
		first.ask((commands) -> commands.clusterMeet("127.0.0.1", second.port()));
		await(() -> this.fixture.servers.stream().allMatch((master) -> master.ask((commands) -> {
			String info = commands.clusterInfo();
			return info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:16384")
					&& commands.clusterNodes().contains(":" + this.proxy.port() + "@");
		})));
		RedisURI uri = second.uri();
		this.node = await(this.fixture.cluster("cluster", uri, NodeFixture.settings(false, TTL)), State.READY);
	}

	@Test
	void aNameWhoseUndoFailedIsReleasedAsSoonAsItsMasterAnswers() {
		Redlock redlock = this.fixture.redlock(List.of(this.node), TTL);
		this.fixture.servers.get(1).ask((commands) -> commands.set("a", "other"));
		this.proxy.breakAt((command) -> command.contains(RELEASE));
		LockAttempt attempt = redlock.attemptAndWait(LockRequest.of(NAMES.toArray(String[]::new)));
		assertThat(attempt.lease()).isEmpty();
		assertThat(this.fixture.servers.get(0).<Long>ask((commands) -> commands.exists("b"))).isOne();
		this.proxy.passAll();
		await(() -> this.fixture.servers.get(0).<Long>ask((commands) -> commands.exists("b")) == 0);
	}

}

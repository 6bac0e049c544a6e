package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.redlock.lettuce.internal.connection.NodeResources;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.unguarded;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the log says when there is no majority of nodes any more.
 */
class QuorumWatchTests {

	@RegisterExtension
	final LogLines lines = new LogLines("dev.redlock");

	private final NodeResources resources = NodeResources.create();

	private final List<RedisProcess> servers = new ArrayList<>();

	private LockNodes nodes = LockNodes.of(List.of());

	@BeforeEach
	void setUp() {
		for (int i = 0; i < 3; i++) {
			this.servers.add(RedisProcess.prepare());
		}
	}

	@AfterEach
	void tearDown() {
		this.nodes.close();
		this.resources.close();
		this.servers.forEach(RedisProcess::close);
	}

	@Test
	void aLostMajorityIsOneErrorAndItsReturnOneInfo() {
		this.servers.forEach(RedisProcess::startAgain);
		start();
		awaitReady(3);
		assertThat(about("acquired")).isEmpty();
		this.servers.get(1).kill();
		awaitReady(2);
		assertThat(about("acquired")).isEmpty();
		this.servers.get(2).kill();
		awaitLines("No lock can be acquired", 1);
		assertThat(about("No lock can be acquired")).singleElement().satisfies((line) -> {
			assertThat(line.getLevel()).isEqualTo(Level.ERROR);
			assertThat(line.getFormattedMessage()).contains("1 of 3 redlock nodes are ready, and 2 are needed")
				.contains("n1 (UNAVAILABLE), n2 (UNAVAILABLE)")
				.contains("For each node that does not vote, an earlier log line says why, and what to do.")
				.contains("NO_QUORUM");
		});
		this.servers.get(0).kill();
		awaitReady(0);
		this.servers.get(0).startAgain();
		awaitReady(1);
		this.servers.get(1).startAgain();
		awaitLines("can be acquired again", 1);
		this.servers.get(2).startAgain();
		awaitReady(3);
		assertThat(about("can be acquired again")).singleElement().satisfies((line) -> {
			assertThat(line.getLevel()).isEqualTo(Level.INFO);
			assertThat(line.getFormattedMessage()).contains("2 of 3 redlock nodes are ready");
		});
		assertThat(about("No lock can be acquired")).hasSize(1);
	}

	@Test
	void newServersAreToldOfWithWhatToDoInProductionAndInDevelopment() {
		this.servers.forEach(RedisProcess::startAgain);
		start(NodeFixture.settings(true, Duration.ofSeconds(60)));
		awaitLines("No lock can be acquired", 1);
		assertThat(about("No lock can be acquired")).singleElement()
			.satisfies((line) -> assertThat(line.getFormattedMessage()).contains("(QUARANTINED)")
				.contains("Wait: enough nodes vote again by themselves after redlock.max-ttl.")
				.contains("In development, but never in production, redlock.restart-guard.enabled=false"));
	}

	@Test
	void aNodeThatIsMerelyCheckedAnewIsNoNews() {
		this.servers.get(0).startAgain();
		try (EditingProxy proxy = EditingProxy.to(this.servers.get(0))) {
			LockNodes.Builder builder = NodeFixture.builder()
				.lettuce("n0", (shared) -> new LettuceConnectionFactory("127.0.0.1", proxy.port()));
			this.nodes = NodeFixture.start(builder, unguarded(), this.resources, this.resources.loop(), Ticker.SYSTEM);
			awaitReady(1);
			RedisLockNode node = (RedisLockNode) this.nodes.list().get(0);
			proxy.refuse((command) -> command.contains("k"), "STALE doubt");
			long before = infos(proxy);
			NodeFixture.vote(node.acquire(NodeFixture.claim("k", "t"), Ticker.SYSTEM.epochMicros()));
			await(() -> infos(proxy) > before);
			awaitReady(1);
			assertThat(about("acquired")).isEmpty();
		}
	}

	@Test
	void closingIsNoNews() {
		this.servers.forEach(RedisProcess::startAgain);
		start();
		awaitReady(3);
		this.lines.list.clear();
		this.nodes.close();
		assertThat(this.lines.list).noneMatch((line) -> line.getLevel().isGreaterOrEqual(Level.INFO));
	}

	private static long infos(EditingProxy proxy) {
		return proxy.commands().stream().filter((command) -> command.get(0).equals("INFO")).count();
	}

	private void start() {
		start(unguarded());
	}

	private void start(NodeSettings settings) {
		LockNodes.Builder builder = NodeFixture.builder();
		for (RedisProcess server : this.servers) {
			builder.lettuce("n" + this.servers.indexOf(server),
					(shared) -> new LettuceConnectionFactory("127.0.0.1", server.port()));
		}
		this.nodes = NodeFixture.start(builder, settings, this.resources, this.resources.loop(), Ticker.SYSTEM);
	}

	private void awaitReady(int count) {
		await(() -> this.nodes.list().stream().filter((node) -> node.status().state() == State.READY).count() == count);
	}

	private void awaitLines(String text, int count) {
		await(() -> about(text).size() == count);
	}

	private List<ILoggingEvent> about(String text) {
		return List.copyOf(this.lines.list)
			.stream()
			.filter((line) -> line.getFormattedMessage().contains(text))
			.toList();
	}

}

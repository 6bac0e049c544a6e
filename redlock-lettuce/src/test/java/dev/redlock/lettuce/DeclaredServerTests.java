package dev.redlock.lettuce;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refused;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers whose operator declares that they keep each write that they have answered. A
 * server that is killed and reads its append-only file again, or a replica that has all
 * writes, stands in for one that keeps its word. (With everysec, Redis may put off a
 * write that it has answered.)
 */
@ExtendWith(OutputCaptureExtension.class)
class DeclaredServerTests {

	private static final NodeSettings SETTINGS = NodeFixture.fresh("", Duration.ofSeconds(1));

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	private final Queue<State> states = new ConcurrentLinkedQueue<>();

	@BeforeEach
	void declare() {
		this.fixture.keepsAcknowledgedWrites = true;
		this.fixture.listener = (node, from, to) -> this.states.add(to.state());
	}

	@Test
	void aRestartThatKeepsTheMarkerNeedsNoQuarantine() {
		RedisProcess redis = this.fixture.server("--appendonly", "yes", "--appendfsync", "no");
		LockNode node = restarted(redis, this.fixture.lettuce("a", redis.uri(), SETTINGS));
		await(node, State.READY);
		assertThat(this.states).doesNotContain(State.QUARANTINED);
		assertThat(vote(node.acquire(claim("k", "other"), this.fixture.fence()))).isInstanceOf(Refused.class);
	}

	@Test
	void aRestartThatLosesTheMarkerNeedsAQuarantine() {
		RedisProcess redis = this.fixture.server("--appendonly", "yes", "--appendfsync", "no");
		LockNode node = await(this.fixture.lettuce("a", redis.uri(), SETTINGS), State.READY);
		redis.kill();
		await(node, State.UNAVAILABLE);
		redis.removeFiles();
		redis.startAgain();
		await(node, State.QUARANTINED);
	}

	@Test
	void aFailoverThatKeepsTheMarkerNeedsNoQuarantineAndNoWarning(CapturedOutput output) {
		RedisProcess master = this.fixture.server();
		RedisProcess replica = this.fixture.server("--repl-diskless-load", "on-empty-db");
		replica.follow(master);
		RedisProcess sentinel = this.fixture.closing(RedisProcess.startSentinel(master));
		RedisURI uri = RedisURI.Builder.sentinel("127.0.0.1", sentinel.port(), "locks").build();
		LockNode node = await(this.fixture.lettuce("s", uri, SETTINGS), State.READY);
		assertThat(vote(node.acquire(claim("k", "t"), this.fixture.fence()))).isInstanceOf(Granted.class);
		await(() -> "t".equals(replica.<String>ask((commands) -> commands.get("k"))));
		await(() -> sentinel.ask((commands) -> commands.info("sentinel").contains("slaves=1")));
		master.kill();
		await(node, State.UNAVAILABLE);
		await(node, State.READY);
		assertThat(this.states).doesNotContain(State.QUARANTINED);
		assertThat(vote(node.acquire(claim("k", "other"), this.fixture.fence()))).isInstanceOf(Refused.class);
		assertThat(output).doesNotContain("A failover may lose the latest locks");
	}

	/**
	 * What the declaration gives up: nothing checks it. The server has a snapshot from
	 * before the lock.
	 */
	@Test
	void aDeclarationThatIsNotTrueLetsTwoClientsHoldOneLock() {
		RedisProcess redis = this.fixture.server();
		LockNode node = await(this.fixture.lettuce("a", redis.uri(), SETTINGS), State.READY);
		redis.ask((commands) -> commands.save());
		restarted(redis, node);
		await(node, State.READY);
		assertThat(vote(node.acquire(claim("k", "other"), this.fixture.fence()))).isInstanceOf(Granted.class);
		assertThat(this.states).doesNotContain(State.QUARANTINED);
	}

	/**
	 * Restarts the server of a node while a claim is held there.
	 */
	private LockNode restarted(RedisProcess redis, LockNode node) {
		await(node, State.READY);
		assertThat(vote(node.acquire(claim("k", "t"), this.fixture.fence()))).isInstanceOf(Granted.class);
		redis.kill();
		await(node, State.UNAVAILABLE);
		redis.startAgain();
		return node;
	}

}

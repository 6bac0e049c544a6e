package dev.redlock.lettuce;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

import dev.redlock.memory.ManualTime;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.settings;
import static dev.redlock.lettuce.NodeFixture.unguarded;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

class ConnectionFactoryLockNodeFaultTests {

	private static final Duration SHORT_TTL = Duration.ofSeconds(1);

	private RedisProcess redis;

	private NodeFixture fixture;

	private JedisConnectionFactory factory;

	@BeforeEach
	void setUp() {
		this.redis = RedisProcess.prepare();
		this.fixture = new NodeFixture();
		this.factory = new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", this.redis.port()));
		this.factory.afterPropertiesSet();
		this.factory.start();
	}

	@AfterEach
	void tearDown() {
		this.fixture.close();
		this.factory.destroy();
		this.redis.close();
	}

	@Test
	void aNodeThatIsDownAtStartJoinsWhenItComes() {
		LockNode node = this.fixture.adapter("late", this.factory, unguarded());
		Faulted faulted = (Faulted) vote(node.acquire(claim("k", "t"), this.fixture.fence()));
		assertThat(faulted.fault()).isEqualTo(Fault.UNAVAILABLE);
		assertThat(faulted.mayHaveRun()).isFalse();
		this.redis.startAgain();
		await(node, State.READY);
	}

	@Test
	void aServerThatLostItsDataDoesNotVoteUntilItsLocksHaveExpired() {
		this.redis.startAgain();
		LockNode node = this.fixture.adapter("guarded", this.factory, settings(true, SHORT_TTL));
		await(node, State.QUARANTINED);
		await(node, State.READY);
		assertThat(grab(node, "t1")).isInstanceOf(Granted.class);
		this.redis.restart();
		Awaitility.await()
			.atMost(NodeFixture.BOUND)
			.until(() -> grab(node, "t2") instanceof Faulted faulted && faulted.fault() == Fault.STALE);
		await(node, State.READY);
		assertThat(grab(node, "t3")).isInstanceOf(Granted.class);
	}

	@Test
	void oneCheckAtATimeWaitsHoweverManyReleasesFail() {
		this.redis.startAgain();
		ManualTime timers = new ManualTime();
		RedisLockNode node = this.fixture.adapter("replica", this.factory, unguarded(), timers);
		await(node, State.READY);
		assertThat(grab(node, "t1")).isInstanceOf(Granted.class);
		this.redis.ask((commands) -> commands.replicaof("127.0.0.1", 1));
		assertThat(grab(node, "t2")).isInstanceOf(Faulted.class);
		timers.advance(Duration.ofMillis(1));
		await(node, State.UNFIT);
		for (int i = 0; i < 10; i++) {
			assertThat(vote(node.release(claim("k", "t1"), Duration.ZERO))).isInstanceOf(Faulted.class);
		}
		assertThat(timers.pending()).isOne();
		this.redis.ask((commands) -> commands.replicaofNoOne());
		timers.advance(Duration.ofSeconds(5));
		await(node, State.READY);
	}

	@Test
	void whatWaitsWhileTheConnectionIsGivenUpIsNotSentOverIt() {
		this.redis.startAgain();
		LockNode node = await(this.fixture.adapter("frozen", this.factory, unguarded()), State.READY);
		this.redis.freeze();
		List<CompletionStage<Vote>> waiting = IntStream.range(0, 500)
			.mapToObj((i) -> node.acquire(claim("k" + i, "t", SHORT_TTL), this.fixture.fence()))
			.toList();
		List<Vote> votes = waiting.stream().map(NodeFixture::vote).toList();
		this.redis.thaw();
		assertThat(votes).allSatisfy((vote) -> assertThat(vote).isInstanceOf(Faulted.class));
		assertThat(((Faulted) votes.get(votes.size() - 1)).mayHaveRun()).as("the last one was not sent").isFalse();
		await(node, State.READY);
	}

	private Vote grab(LockNode node, String token) {
		return vote(node.acquire(claim("k", token, SHORT_TTL), this.fixture.fence()));
	}

}

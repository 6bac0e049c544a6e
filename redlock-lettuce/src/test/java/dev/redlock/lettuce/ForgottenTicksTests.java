package dev.redlock.lettuce;

import java.time.Duration;

import dev.redlock.Tick;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refused;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.settings;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers that lost the last tick of a job. The job is a monthly one: a node must not
 * stay away from its ticks for longer than necessary.
 */
class ForgottenTicksTests {

	private static final Duration SHORT_TTL = Duration.ofMillis(500);

	private static final Duration MONTH = Duration.ofDays(30);

	private static final Duration DIFFERENCE = Duration.ofMillis(10);

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	@Test
	void aServerThatWasJustSetUpVotesOnTheNextTickButNotOnTheLastOne() {
		RedisProcess redis = this.fixture.server();
		Tick last = tick(-1);
		LockNode node = ready(redis);
		assertForgotten(mark(node, "t1", last));
		assertThat(mark(node, "t1", tick(100))).isInstanceOf(Granted.class);
	}

	@Test
	void aServerThatWasEmptiedVotesOnTheNextTickButNotOnOneThatItMayHaveKnown() {
		RedisProcess redis = this.fixture.server();
		LockNode node = ready(redis);
		Tick taken = tick(100);
		Awaitility.await().until(() -> this.fixture.fence() >= taken.dueMicros());
		assertThat(mark(node, "t1", taken)).isInstanceOf(Granted.class);
		for (int loss = 0; loss < 3; loss++) {
			redis.ask((commands) -> commands.flushall());
			assertThat(mark(node, "t2", taken)).isNotInstanceOf(Granted.class);
			await(node, State.QUARANTINED);
			await(node, State.READY);
			assertForgotten(mark(node, "t2", taken));
		}
		assertThat(mark(node, "t2", tick(100))).isInstanceOf(Granted.class);
	}

	@Test
	void aServerThatKeptItsDataVotesOnEachTick() {
		RedisProcess redis = this.fixture.server();
		try (NodeFixture others = new NodeFixture()) {
			LockNode node = ready(redis);
			Tick taken = tick(100);
			assertThat(mark(node, "t1", taken)).isInstanceOf(Granted.class);
			LockNode other = await(others.lettuce("other", redis.uri(), settings(true, SHORT_TTL)), State.READY);
			assertThat(mark(other, "t2", taken)).isInstanceOf(Refused.class);
		}
	}

	private LockNode ready(RedisProcess redis) {
		return await(this.fixture.lettuce("jobs", redis.uri(), settings(true, SHORT_TTL)), State.READY);
	}

	private Tick tick(int millisFromNow) {
		return new Tick(this.fixture.fence() + millisFromNow * 1_000L, MONTH, DIFFERENCE, false);
	}

	private Vote mark(LockNode node, String token, Tick tick) {
		Claim claim = NodeFixture.claim("job", token, SHORT_TTL);
		vote(node.acquire(claim, this.fixture.fence()));
		try {
			return vote(node.tick(claim, tick, true));
		}
		finally {
			vote(node.release(claim, Duration.ZERO));
		}
	}

	private static void assertForgotten(Vote vote) {
		assertThat(vote).isInstanceOfSatisfying(Faulted.class, (faulted) -> {
			assertThat(faulted.fault()).isEqualTo(Fault.STALE);
			assertThat(faulted.detail()).contains("since the job was due");
		});
	}

}

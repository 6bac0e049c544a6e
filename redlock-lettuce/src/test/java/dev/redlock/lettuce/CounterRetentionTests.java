package dev.redlock.lettuce;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A counter that is ahead of its node's clock, as one is that was written while the clock
 * was wrong, lives for longer than the clock takes to come to it.
 */
class CounterRetentionTests {

	private static final Duration AHEAD = Duration.ofDays(10);

	/**
	 * What passes between a look at the time and the write.
	 */
	private static final Duration SLACK = Duration.ofMinutes(1);

	private static final Duration LEAST = AHEAD.plus(NodeFixture.unguarded().retention()).minus(SLACK);

	private static final Duration MOST = AHEAD.plus(NodeFixture.unguarded().retention()).plus(SLACK);

	private static final Duration TTL = Duration.ofSeconds(30);

	private final NodeFixture fixture = new NodeFixture();

	private final RedisProcess redis = RedisProcess.start();

	private LockNode node;

	@BeforeEach
	void start() {
		this.node = NodeFixture.await(this.fixture.lettuce("a", this.redis.uri(), NodeFixture.unguarded()),
				State.READY);
	}

	@AfterEach
	void stop() {
		this.fixture.close();
		this.redis.close();
	}

	@Test
	void whenALockIsAcquired() {
		long counter = countAhead("k");
		assertThat(acquire("t", "k").fence()).isEqualTo(counter + 1);
		assertKept("k");
	}

	@Test
	void whenALeaseIsExtended() {
		countAhead("k");
		long fence = acquire("t", "k").fence();
		expireSoon("k");
		granted(this.node.extend(claim("t", "k"), fence));
		assertKept("k");
	}

	@Test
	void whenALeaseIsExtendedWhoseCounterIsBehind() {
		acquire("t", "k");
		granted(this.node.extend(claim("t", "k"), ahead()));
		assertKept("k");
	}

	@Test
	void whenALeaseIsWrittenAgainWhereItWasLost() {
		granted(this.node.restore(claim("t", "k"), ahead()));
		assertKept("k");
	}

	@Test
	void whenAnAcquisitionIsUndone() {
		long counter = countAhead("{k}a");
		set(CounterKeys.of("{k}b"), "no number");
		assertThat(vote(this.node.acquire(claim("t", "{k}a", "{k}b"), this.fixture.fence())))
			.isInstanceOf(Faulted.class);
		assertThat(this.redis.<String>ask((commands) -> commands.get(CounterKeys.of("{k}a"))))
			.isEqualTo(Long.toString(counter));
		assertKept("{k}a");
	}

	@Test
	void aCounterThatIsNotAheadLivesForTheRetention() {
		acquire("t", "k");
		assertThat(ttl("k")).isBetween(NodeFixture.unguarded().retention().minus(SLACK),
				NodeFixture.unguarded().retention().plus(SLACK));
	}

	private void assertKept(String key) {
		assertThat(ttl(key)).isBetween(LEAST, MOST);
	}

	private Duration ttl(String key) {
		return Duration.ofMillis(this.redis.<Long>ask((commands) -> commands.pttl(CounterKeys.of(key))));
	}

	private void expireSoon(String key) {
		this.redis.ask((commands) -> commands.expire(CounterKeys.of(key), 3600));
	}

	private long countAhead(String key) {
		long counter = ahead();
		set(CounterKeys.of(key), Long.toString(counter));
		return counter;
	}

	private long ahead() {
		return this.fixture.fence() + TimeUnit.NANOSECONDS.toMicros(AHEAD.toNanos());
	}

	private void set(String key, String value) {
		this.redis.ask((commands) -> commands.set(key, value));
	}

	private Granted acquire(String token, String... keys) {
		return granted(this.node.acquire(claim(token, keys), this.fixture.fence()));
	}

	private static Claim claim(String token, String... keys) {
		return new Claim(List.of(keys), token, TTL);
	}

	private static Granted granted(CompletionStage<Vote> stage) {
		Vote answer = vote(stage);
		assertThat(answer).isInstanceOf(Granted.class);
		return (Granted) answer;
	}

}

package dev.redlock.lettuce;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import dev.redlock.lettuce.internal.script.CounterKeys;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A counter that is ahead of its node's clock, as one is that was written while the clock
 * was wrong, lives for longer than the clock takes to come to it. One that is no number
 * is refused.
 */
class CounterTests {

	private static final Duration AHEAD = Duration.ofDays(10);

	/**
	 * What passes between a look at the time and the write.
	 */
	private static final Duration SLACK = Duration.ofMinutes(1);

	private static final Duration LEAST = AHEAD.plus(NodeFixture.unguarded().retention()).minus(SLACK);

	private static final Duration MOST = AHEAD.plus(NodeFixture.unguarded().retention()).plus(SLACK);

	private static final Duration TTL = Duration.ofSeconds(30);

	private static final List<String> KEYS = List.of("{k}a", "{k}b", "{k}c");

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	private final RedisProcess redis = this.fixture.server();

	private final LockNode node = NodeFixture
		.await(this.fixture.lettuce("a", this.redis.uri(), NodeFixture.unguarded()), State.READY);

	@Test
	void aLeadIsKeptWhenALockIsAcquired() {
		long counter = countAhead("k");
		assertThat(acquire("t", "k").fence()).isEqualTo(counter + 1);
		assertKept("k");
	}

	@Test
	void aLeadIsKeptWhenALeaseIsExtended() {
		countAhead("k");
		long fence = acquire("t", "k").fence();
		expireSoon("k");
		granted(this.node.extend(claim("t", "k"), fence));
		assertKept("k");
	}

	@Test
	void aLeadIsKeptWhenALeaseIsExtendedWhoseCounterIsBehind() {
		acquire("t", "k");
		granted(this.node.extend(claim("t", "k"), ahead()));
		assertKept("k");
	}

	@Test
	void aLeadIsKeptWhenALeaseIsWrittenAgainWhereItWasLost() {
		granted(this.node.restore(claim("t", "k"), ahead()));
		assertKept("k");
	}

	@Test
	void aLeadIsKeptWhenAnAcquisitionIsUndone() {
		long counter = countAhead("{k}a");
		set(CounterKeys.of("{k}b"), "no number");
		assertThat(vote(this.node.acquire(claim("t", "{k}a", "{k}b"), this.fixture.fence())))
			.isInstanceOf(Faulted.class);
		assertThat(get(CounterKeys.of("{k}a"))).isEqualTo(Long.toString(counter));
		assertKept("{k}a");
	}

	@Test
	void aCounterThatIsNotAheadLivesForTheRetention() {
		acquire("t", "k");
		assertThat(ttl("k")).isBetween(NodeFixture.unguarded().retention().minus(SLACK),
				NodeFixture.unguarded().retention().plus(SLACK));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "nan", "-1", "1.5", "9007199254740991", "12 apples" })
	void aCounterThatIsNoneIsRefusedAndNothingIsLost(String value) {
		long first = this.fixture.fence() + 1_000_000;
		set(CounterKeys.of("{k}a"), Long.toString(first));
		set(CounterKeys.of("{k}b"), value);
		assertFaulted("the counter of a lock is not an integer");
		assertThat(keys()).containsExactlyInAnyOrder(CounterKeys.of("{k}a"), CounterKeys.of("{k}b"));
		assertThat(get(CounterKeys.of("{k}a"))).isEqualTo(Long.toString(first));
		assertThat(get(CounterKeys.of("{k}b"))).isEqualTo(value);
	}

	@Test
	void aCounterOfAnotherTypeIsRefusedAndNothingIsLost() {
		this.redis.ask((commands) -> commands.lpush(CounterKeys.of("{k}a"), "something else"));
		assertFaulted("WRONGTYPE");
		assertThat(keys()).containsExactly(CounterKeys.of("{k}a"));
		assertThat(this.redis.<List<String>>ask((commands) -> commands.lrange(CounterKeys.of("{k}a"), 0, -1)))
			.containsExactly("something else");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aSuccessionThatFailsOnAServerChangesNothing(boolean strict) {
		long fence = acquire("t1", "{k}a", "{k}b").fence();
		Claim next = claim("t2", "{k}a", "{k}b").succeeding(new Claim.Predecessor("t1", fence, strict));
		set(CounterKeys.of("{k}b"), "no number");
		assertThat(vote(this.node.acquire(next, this.fixture.fence()))).isInstanceOf(Faulted.class);
		set(CounterKeys.of("{k}b"), Long.toString(fence));
		this.redis.ask((commands) -> commands.configSet("maxmemory", "1"));
		assertThat(vote(this.node.acquire(next, this.fixture.fence()))).isInstanceOf(Faulted.class);
		this.redis.ask((commands) -> commands.configSet("maxmemory", "0"));
		assertThat(get("{k}a")).isEqualTo("t1");
		assertThat(get("{k}b")).isEqualTo("t1");
		assertThat(get(CounterKeys.of("{k}a"))).isEqualTo(Long.toString(fence));
	}

	@Test
	void aLeadIsKeptWhenALockIsTakenOver() {
		long counter = countAhead("k");
		long fence = acquire("t1", "k").fence();
		expireSoon("k");
		Claim next = claim("t2", "k").succeeding(new Claim.Predecessor("t1", fence, true));
		assertThat(granted(this.node.acquire(next, this.fixture.fence())).fence()).isEqualTo(counter + 2);
		assertKept("k");
	}

	@Test
	void aReleaseDeletesItsOtherKeysWhereOneIsOfAnotherType() {
		Claim claim = new Claim(KEYS, "t", Duration.ofSeconds(30));
		assertThat(vote(this.node.acquire(claim, Claim.UNFENCED))).isInstanceOf(Granted.class);
		this.redis.ask((commands) -> commands.del(KEYS.get(0)));
		this.redis.ask((commands) -> commands.lpush(KEYS.get(0), "something else"));
		assertThat(vote(this.node.release(claim, Duration.ZERO))).isInstanceOf(Granted.class);
		assertThat(keys()).containsExactly(KEYS.get(0));
	}

	private void assertFaulted(String reason) {
		Faulted faulted = (Faulted) vote(
				this.node.acquire(new Claim(KEYS, "t", Duration.ofSeconds(30)), this.fixture.fence()));
		assertThat(faulted.fault()).isEqualTo(Fault.MISCONFIGURED);
		assertThat(faulted.detail()).contains(reason);
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

	private String get(String key) {
		return this.redis.ask((commands) -> commands.get(key));
	}

	private List<String> keys() {
		return this.redis.ask((commands) -> commands.keys("*"));
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

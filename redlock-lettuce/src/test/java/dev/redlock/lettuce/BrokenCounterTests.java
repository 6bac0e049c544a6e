package dev.redlock.lettuce;

import java.time.Duration;
import java.util.List;

import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class BrokenCounterTests {

	private static final List<String> KEYS = List.of("{k}a", "{k}b", "{k}c");

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

	@ParameterizedTest
	@ValueSource(strings = { "", "nan", "-1", "1.5", "9007199254740991", "99999999999999999999", "12 apples" })
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

	@Test
	void aReleaseDeletesItsOtherKeysWhereOneIsOfAnotherType() {
		Claim claim = new Claim(KEYS, "t", Duration.ofSeconds(30));
		assertThat(NodeFixture.vote(this.node.acquire(claim, Claim.UNFENCED))).isInstanceOf(Granted.class);
		this.redis.ask((commands) -> commands.del(KEYS.get(0)));
		this.redis.ask((commands) -> commands.lpush(KEYS.get(0), "something else"));
		assertThat(NodeFixture.vote(this.node.release(claim, Duration.ZERO))).isInstanceOf(Granted.class);
		assertThat(keys()).containsExactly(KEYS.get(0));
	}

	private void assertFaulted(String reason) {
		Faulted faulted = (Faulted) NodeFixture
			.vote(this.node.acquire(new Claim(KEYS, "t", Duration.ofSeconds(30)), this.fixture.fence()));
		assertThat(faulted.fault()).isEqualTo(Fault.MISCONFIGURED);
		assertThat(faulted.detail()).contains(reason);
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

}

package dev.redlock.spi;

import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refused;
import org.junit.jupiter.api.BeforeEach;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node that is put to the test with a key of its own for each.
 */
public abstract class NodeUnderTest {

	static final Duration TTL = Duration.ofSeconds(10);

	private String key = "";

	@BeforeEach
	final void chooseKey() {
		this.key = "contract:" + UUID.randomUUID();
	}

	/**
	 * The node under test.
	 */
	protected abstract LockNode node();

	/**
	 * The microseconds that the node's clock shows, give or take a second.
	 */
	protected abstract long nowMicros();

	/**
	 * Whether one server has all keys of a claim, so that a refusal changes none of them.
	 */
	protected boolean isOneServer() {
		return true;
	}

	final String key() {
		return this.key;
	}

	final Claim claim(String token) {
		return claim(token, this.key);
	}

	final Claim claim(String token, String... keys) {
		return new Claim(Arrays.stream(keys).sorted().toList(), token, TTL);
	}

	static Granted granted(CompletionStage<Vote> stage) {
		return get(stage, Granted.class);
	}

	static Refused refused(CompletionStage<Vote> stage) {
		return get(stage, Refused.class);
	}

	static <V extends Vote> V get(CompletionStage<Vote> stage, Class<V> kind) {
		Vote vote = stage.toCompletableFuture().orTimeout(5, TimeUnit.SECONDS).join();
		assertThat(vote).isInstanceOf(kind);
		return kind.cast(vote);
	}

}

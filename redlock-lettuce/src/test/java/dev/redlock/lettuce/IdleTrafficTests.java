package dev.redlock.lettuce;

import java.time.Duration;

import dev.redlock.lettuce.internal.connection.NodeResources;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Ticker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static dev.redlock.lettuce.NodeFixture.settings;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an application that locks nothing costs a server, in minutes that pass at once.
 */
class IdleTrafficTests {

	private static final Duration STEP = Duration.ofSeconds(5);

	private static final int STEPS = 144;

	private static final double MOST_PER_SECOND = 0.1;

	private final ManualTime time = new ManualTime();

	@Test
	void anIdleApplicationSendsNextToNothing() {
		try (RedisProcess redis = RedisProcess.start();
				NodeResources resources = NodeResources.create();
				LockNodes nodes = start(redis, resources)) {
			LockNode node = nodes.list().get(0);
			Awaitility.await().atMost(NodeFixture.BOUND).pollInterval(Duration.ofMillis(5)).until(() -> {
				this.time.advance(Duration.ofMillis(5));
				return node.status().state() == State.READY;
			});
			long before = commands(redis);
			for (int i = 0; i < STEPS; i++) {
				this.time.advance(STEP);
				// The answers come within the few round trips that it takes to look.
				commands(redis);
			}
			double perSecond = (commands(redis) - before) / (double) STEP.multipliedBy(STEPS).toSeconds();
			assertThat(perSecond).isBetween(0.01, MOST_PER_SECOND);
			assertThat(node.status().state()).isEqualTo(State.READY);
		}
	}

	private LockNodes start(RedisProcess redis, NodeResources resources) {
		return NodeFixture.start(
				NodeFixture.builder()
					.lettuce("idle",
							(shared) -> new LettuceConnectionFactory(
									new RedisStandaloneConfiguration("127.0.0.1", redis.port()),
									LettuceClientConfiguration.builder().clientResources(shared).build())),
				settings(true, Duration.ofMillis(100)), resources, this.time, Ticker.SYSTEM);
	}

	/**
	 * All commands but those of this look itself; those that scripts call count too.
	 */
	private static long commands(RedisProcess redis) {
		String stats = redis.ask((commands) -> commands.info("commandstats"));
		return stats.lines()
			.filter((line) -> line.startsWith("cmdstat_"))
			.filter((line) -> !line.matches("cmdstat_(hello|client|info|ping|quit).*"))
			.mapToLong((line) -> Long.parseLong(line.replaceFirst(".*:calls=(\\d+),.*", "$1")))
			.sum();
	}

}

package dev.redlock.test.containers;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.autoconfigure.RedlockConnectionDetails;
import dev.redlock.test.RedisNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@NeedsDocker
@TestPropertySource(
		properties = { "redlock.instances.x.host=unused.invalid", "redlock.wait-for=1s", "redlock.node-timeout=200ms" })
@SpringBootTest
@Testcontainers
class RedlockContainersServiceConnectionTests {

	@Container
	@ServiceConnection
	static RedlockContainers redis = new RedlockContainers(3);

	@Test
	void ordersGoOnWithOneNodeDown(@Autowired Orders orders) {
		redis.get("a").kill();
		assertThat(orders.place("book")).isEqualTo("placed book");
	}

	@Test
	void ordersAreRefusedWithoutAMajority(@Autowired Orders orders) {
		redis.get("a").kill();
		redis.get("b").freeze();
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> orders.place("book"))
			.satisfies((refused) -> assertThat(refused.reason()).isEqualTo(Reason.NO_QUORUM));
	}

	@BeforeEach
	void allNodesVote(@Autowired Redlock redlock) {
		redis.heal();
		Awaitility.await()
			.untilAsserted(() -> assertThat(redlock.nodes()).allMatch((node) -> node.status().state() == State.READY));
	}

	@Test
	void containersTakeThePlaceOfInstances(@Autowired RedlockConnectionDetails details,
			@Autowired ApplicationContext context) {
		assertThat(details.getNodes()).containsOnlyKeys("a", "b", "c")
			.containsEntry("a",
					new RedlockConnectionDetails.Node(redis.get("a").host(), redis.get("a").port(), null, null));
		assertThat(details.isThrowAway()).isTrue();
		assertThat(context.getBeansOfType(RedisNodes.class)).isEmpty();
		assertThat(context.getBeansOfType(DataRedisConnectionDetails.class).values())
			.as("the whole is not taken for one Redis server")
			.noneMatch((redis) -> redis.getClass().getName().contains("Container"));
	}

	@Test
	void aNodeThatWasRestartedEmptyVotesAgain(@Autowired Redlock redlock) {
		redis.get("c").restartEmpty();
		Awaitility.await()
			.untilAsserted(() -> assertThat(redlock.nodes()).allMatch((node) -> node.status().state() == State.READY));
		try (var lease = redlock.attemptAndWait(LockRequest.of("stock:42")).orThrow()) {
			assertThat(lease.isValid()).isTrue();
			Awaitility.await()
				.untilAsserted(() -> assertThat(redis.get("c").command("EXISTS", "redlock:stock:42")).isEqualTo("1"));
		}
	}

	static class Orders {

		@RedLock("orders:#{#article}")
		public String place(String article) {
			return "placed " + article;
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Orders orders() {
			return new Orders();
		}

	}

}

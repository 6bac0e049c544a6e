package dev.redlock.test;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

import static dev.redlock.test.assertj.LockAssertions.assertThatLock;
import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@EmbeddedRedlock(nodes = 5)
class EmbeddedRedlockExampleTests {

	@Test
	void ordersGoOnWithTwoNodesDown(@Autowired Orders orders, RedisNodes nodes) {
		nodes.get("a").kill();
		nodes.get("b").freeze();
		assertThat(orders.place("book")).isEqualTo("placed book");
	}

	@Test
	void anOrderIsLockedWhileItIsPlaced(@Autowired Redlock redlock) {
		try (Lease lease = redlock.attemptAndWait(LockRequest.of("orders:pen")).orThrow()) {
			assertThat(lease.isValid()).isTrue();
			assertThatLock(redlock, "orders:pen").isHeld().isHeldForAtMost(redlock.settings().ttl());
		}
		// region: testing-assertions
		Awaitility.await().untilAsserted(() -> assertThatLock(redlock, "orders:pen").isFree());
		// endregion
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Orders.class)
	static class Application {

	}

}

package dev.redlock.test;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.Redlock;
import dev.redlock.test.scripted.ScriptedNodes;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;

import static dev.redlock.test.assertj.LockAssertions.assertThatLock;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@SpringBootTest(properties = "redlock.wait-for=100ms")
@ScriptedRedlock(nodes = 3)
class ScriptedRedlockSpringTests {

	@Test
	void ordersGoOnWithOneNodeDown(@Autowired Orders orders, ScriptedNodes nodes) {
		nodes.get("a").down();
		assertThat(orders.place("book")).isEqualTo("placed book");
	}

	@Test
	void ordersAreRefusedWhileSomebodyElseHoldsTheLock(@Autowired Orders orders, ScriptedNodes nodes) {
		nodes.get("a").refuse();
		nodes.get("b").refuse();
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> orders.place("book"));
	}

	@Test
	void theLockOfTheContextIsOverTheNodesAndNothingElseIsStarted(@Autowired ApplicationContext context,
			@Autowired Redlock redlock, @Autowired Orders orders, ScriptedNodes nodes) {
		assertThat(redlock.nodes()).hasSize(3).hasSameElementsAs(nodes.asList());
		assertThat(context.getBeansOfType(RedisNodes.class)).isEmpty();
		orders.place("pen");
		assertThatLock(redlock, "orders:pen").isFree();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Orders.class)
	static class Application {

	}

}

package dev.redlock.test;

import dev.redlock.Redlock;
import dev.redlock.test.scripted.ScriptedNodes;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;

import static dev.redlock.test.assertj.LockAssertions.assertThatLock;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@SpringBootTest
@ScriptedRedlock(nodes = 3)
class ScriptedRedlockSpringTests {

	@RepeatedTest(2)
	void allNodesOfTheContextWorkAgainBeforeEachTest(@Autowired Redlock redlock, @Autowired Orders orders,
			ScriptedNodes nodes) {
		assertThat(orders.place("book")).isEqualTo("placed book");
		// A node that refuses would refuse a release, too.
		assertThatLock(redlock, "orders:book").isFree();
		nodes.get("a").refuse();
		nodes.get("b").refuse();
	}

	@Test
	void theLockOfTheContextIsOverTheNodesInRealTimeAndNothingElseIsStarted(@Autowired ApplicationContext context,
			@Autowired Redlock redlock, @Autowired Orders orders, ScriptedNodes nodes) {
		assertThat(redlock.nodes()).hasSize(3).hasSameElementsAs(nodes.asList());
		assertThatIllegalStateException().as("time that stands still").isThrownBy(nodes::time);
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

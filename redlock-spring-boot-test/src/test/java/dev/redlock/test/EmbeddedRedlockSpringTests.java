package dev.redlock.test;

import dev.redlock.spring.autoconfigure.RedlockConnectionDetails;
import dev.redlock.test.autoconfigure.EmbeddedRedlockAutoConfiguration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(classes = EmbeddedRedlockSpringTests.Application.class,
		properties = "redlock.instances.x.host=10.0.0.1")
@EmbeddedRedlock(nodes = 2)
class EmbeddedRedlockSpringTests {

	@Test
	void nodesOfTheContextTakeThePlaceOfConfiguredInstances(RedisNodes nodes, @Autowired RedisNodes bean,
			@Autowired RedlockConnectionDetails details) {
		assertThat(nodes).isSameAs(bean);
		assertThat(nodes.asList()).hasSize(2).allMatch(RedisNode::isRunning);
		assertThat(details.getNodes()).containsOnlyKeys("a", "b");
	}

	@Nested
	class InANestedClass {

		@Test
		void contextIsShared(RedisNodes nodes, @Autowired RedisNodes bean) {
			assertThat(nodes).isSameAs(bean);
			assertThat(nodes.asList()).hasSize(2);
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@ImportAutoConfiguration(EmbeddedRedlockAutoConfiguration.class)
	static class Application {

	}

}

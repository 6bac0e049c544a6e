package dev.redlock.test;

import dev.redlock.test.scripted.ScriptedNodes;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.ContextHierarchy;
import org.springframework.test.context.NestedTestConfiguration;
import org.springframework.test.context.NestedTestConfiguration.EnclosingConfiguration;
import org.springframework.test.context.junit.jupiter.SpringExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests with Spring that do not name their configuration in the usual way.
 */
@ExtendWith(SpringExtension.class)
@ScriptedRedlock(nodes = 3)
class NodesOfTheContextTests {

	@Test
	void aTestWithTheDefaultConfigurationGetsTheNodesOfItsLock(@Autowired ScriptedNodes used, ScriptedNodes nodes) {
		assertThat(nodes).isSameAs(used);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@Nested
	@NestedTestConfiguration(EnclosingConfiguration.OVERRIDE)
	@ScriptedRedlock(nodes = 3)
	@ContextHierarchy({ @ContextConfiguration(classes = Empty.class),
			@ContextConfiguration(classes = Application.class) })
	class InAHierarchy {

		@Test
		void aTestGetsTheNodesOfItsLock(@Autowired ScriptedNodes used, ScriptedNodes nodes) {
			assertThat(nodes).isSameAs(used);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Empty {

	}

}

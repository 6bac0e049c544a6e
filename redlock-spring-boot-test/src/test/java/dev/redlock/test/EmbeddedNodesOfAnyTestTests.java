package dev.redlock.test;

import dev.redlock.test.autoconfigure.EmbeddedRedlockAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A test that does not say a word about nodes.
 */
@SpringBootTest(classes = EmbeddedNodesOfAnyTestTests.Application.class, properties = "redlock.embedded.nodes=1")
class EmbeddedNodesOfAnyTestTests {

	@Test
	void anApplicationWithoutServersGetsEmbeddedNodesInATest(@Autowired RedisNodes nodes) {
		assertThat(nodes.asList()).hasSize(1).allMatch(RedisNode::isRunning);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@ImportAutoConfiguration(EmbeddedRedlockAutoConfiguration.class)
	static class Application {

	}

}

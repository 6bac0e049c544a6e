package dev.redlock.test.containers;

import dev.redlock.test.RedisNodes;
import dev.redlock.test.autoconfigure.EmbeddedRedlockAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactories;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class WithoutTestcontainersTests {

	private final FilteredClassLoader without = new FilteredClassLoader("org.testcontainers",
			"org.springframework.boot.testcontainers");

	@Test
	void connectionDetailsOfOthersAreFoundAllTheSame() {
		assertThat(new ConnectionDetailsFactories(this.without).getConnectionDetails("something else", false))
			.isEmpty();
	}

	@Test
	void embeddedNodesStart() {
		new ApplicationContextRunner().withClassLoader(this.without)
			.withConfiguration(AutoConfigurations.of(EmbeddedRedlockAutoConfiguration.class))
			.withPropertyValues("redlock.embedded.enabled=true", "redlock.embedded.nodes=1")
			.run((context) -> assertThat(context).hasSingleBean(RedisNodes.class));
	}

}

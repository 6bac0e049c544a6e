package dev.redlock.benchmarks;

import dev.redlock.Redlock;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * Applications with the starter, as a user has them.
 */
final class Contexts {

	private Contexts() {
	}

	/**
	 * Starts an application on the given servers.
	 */
	static ConfigurableApplicationContext start(RedisNodes nodes, String... properties) {
		SpringApplicationBuilder builder = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties("logging.level.root=warn");
		for (RedisNode node : nodes.asList()) {
			builder.properties("redlock.instances." + node.name() + ".host=" + node.host(),
					"redlock.instances." + node.name() + ".port=" + node.port());
		}
		return builder.properties(properties).run();
	}

	static void awaitReady(ConfigurableApplicationContext context) {
		Redlock redlock = context.getBean(Redlock.class);
		while (!redlock.nodes().stream().allMatch((node) -> node.status().state() == State.READY)) {
			Thread.onSpinWait();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}

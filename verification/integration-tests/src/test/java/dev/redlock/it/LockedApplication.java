package dev.redlock.it;

import java.util.function.Supplier;

import dev.redlock.Redlock;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.awaitility.Awaitility;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application with one locked service.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class LockedApplication {

	@Bean
	Service service() {
		return new Service();
	}

	/**
	 * Starts the application on the given nodes.
	 */
	static ConfigurableApplicationContext start(RedisNodes nodes, String... properties) {
		SpringApplicationBuilder builder = new SpringApplicationBuilder(LockedApplication.class)
			.web(WebApplicationType.NONE)
			.bannerMode(org.springframework.boot.Banner.Mode.OFF)
			.properties("spring.main.register-shutdown-hook=true", "redlock.restart-guard.enabled=false");
		for (RedisNode node : nodes.asList()) {
			builder.properties("redlock.instances." + node.name() + ".host=" + node.host(),
					"redlock.instances." + node.name() + ".port=" + node.port());
		}
		return builder.properties(properties).run();
	}

	/**
	 * Waits until every node votes.
	 */
	static void awaitReady(ConfigurableApplicationContext context) {
		Redlock redlock = context.getBean(Redlock.class);
		Awaitility.await()
			.until(() -> redlock.nodes().stream().allMatch((node) -> node.status().state() == State.READY));
	}

	/**
	 * Runs what it is given under a lock.
	 */
	static class Service {

		@RedLock(resource = "order:#{#id}", ttl = "10s", waitFor = "${test.wait-for:5s}")
		public <T> T locked(String id, Supplier<T> work) {
			return work.get();
		}

	}

}

package dev.redlock.benchmarks.contender;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.redlock.Redlock;
import dev.redlock.spi.NodeStatus.State;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * Applications with the starter, as a user has them.
 */
public final class Contexts {

	private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private Contexts() {
	}

	/**
	 * Starts an application.
	 * @param ports the ports of its Redis servers on this machine
	 * @param terms what all contenders are given alike
	 * @param more more properties
	 * @return the application
	 */
	public static ConfigurableApplicationContext start(List<Integer> ports, Terms terms, String... more) {
		List<String> properties = new ArrayList<>(List.of("redlock.ttl=" + terms.ttl(),
				"redlock.max-ttl=" + terms.maxTtl(), "redlock.wait-for=" + terms.patience()));
		properties.addAll(instances(ports));
		properties.addAll(List.of(more));
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.properties(properties.toArray(String[]::new))
			.run();
	}

	/**
	 * The properties that name the servers.
	 * @param ports the ports of the servers on this machine
	 * @return the properties
	 */
	public static List<String> instances(List<Integer> ports) {
		List<String> properties = new ArrayList<>();
		for (int i = 0; i < ports.size(); i++) {
			String instance = "redlock.instances." + (char) ('a' + i);
			properties.add(instance + ".host=127.0.0.1");
			properties.add(instance + ".port=" + ports.get(i));
		}
		return properties;
	}

	/**
	 * Waits until all servers vote.
	 * @param context the application
	 * @param longest how long to wait at most
	 */
	public static void awaitReady(ConfigurableApplicationContext context, Duration longest) {
		Redlock redlock = context.getBean(Redlock.class);
		long start = System.nanoTime();
		while (!redlock.nodes().stream().allMatch((node) -> node.status().state() == State.READY)) {
			if (System.nanoTime() - start > longest.toNanos()) {
				throw new IllegalStateException("The servers do not vote: " + redlock.nodes());
			}
			LockSupport.parkNanos(LOOK_EVERY_NANOS);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}

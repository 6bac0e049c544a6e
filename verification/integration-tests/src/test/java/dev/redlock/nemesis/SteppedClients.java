package dev.redlock.nemesis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.test.RedisNode;
import org.awaitility.Awaitility;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Three servers whose clocks can be stepped, and applications that lock on them.
 */
final class SteppedClients implements AutoCloseable {

	static final Duration BOUND = Duration.ofSeconds(30);

	static final String RESOURCE = "r";

	private static final String LOCK_KEY = "redlock:" + RESOURCE;

	private final Map<String, Object> properties;

	private final List<RedisNode> servers = new ArrayList<>();

	private final List<SteppedClock> clocks = new ArrayList<>();

	private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

	/**
	 * Starts the servers.
	 * @param directory where to put what makes clocks step
	 * @param properties of each application, beside those that name the servers
	 */
	SteppedClients(Path directory, Map<String, Object> properties) {
		this.properties = properties;
		ProcessShim shim = shim(directory);
		for (String name : List.of("a", "b", "c")) {
			SteppedClock clock = shim.clock(name);
			this.clocks.add(clock);
			this.servers.add(RedisNode.start(name, clock.executable()));
		}
	}

	List<RedisNode> servers() {
		return this.servers;
	}

	/**
	 * Makes the clock of one server step to this much ahead of the machine's.
	 */
	void setClock(int server, Duration ahead) {
		this.clocks.get(server).set(ahead);
	}

	void setClocks(Duration ahead) {
		this.clocks.forEach((clock) -> clock.set(ahead));
	}

	/**
	 * Starts an application and waits until all its nodes vote.
	 */
	Redlock connect() {
		Map<String, Object> all = new HashMap<>(this.properties);
		this.servers.forEach((server) -> all.put("redlock.instances." + server.name() + ".url",
				"redis://127.0.0.1:" + server.port()));
		all.put("redlock.wait-for", "0");
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.properties(all)
			.run();
		this.contexts.add(context);
		Redlock redlock = context.getBean(Redlock.class);
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> redlock.nodes().stream().allMatch((node) -> node.status().state() == State.READY));
		return redlock;
	}

	/**
	 * Takes the lock on the servers a and b only. When this returns c is free.
	 */
	Lease holdOnABareMajority(Redlock redlock) {
		RedisNode last = this.servers.get(2);
		last.command("SET", LOCK_KEY, "other", "PX", "60000");
		Lease lease = redlock.attemptAndWait(LockRequest.of(RESOURCE)).orThrow();
		last.command("DEL", LOCK_KEY);
		return lease;
	}

	/**
	 * Tries until it has the lock, which must not be before the other lease has ended.
	 */
	static void getsNoLockWhileValid(Redlock redlock, Lease other) {
		Awaitility.await().atMost(BOUND).pollInterval(Duration.ofMillis(1)).until(() -> {
			boolean got = redlock.attemptAndWait(LockRequest.of(RESOURCE)).lease().isPresent();
			assertThat(got && other.isValid())
				.as("two leases are valid, the first one for another %s", other.remaining())
				.isFalse();
			return got;
		});
	}

	@Override
	public void close() {
		this.contexts.forEach(ConfigurableApplicationContext::close);
		this.servers.forEach(RedisNode::close);
	}

	static ProcessShim shim(Path directory) {
		try {
			return ProcessShim.build(directory);
		}
		catch (ProcessShim.Unavailable ex) {
			assumeTrue(false, ex.getMessage());
			throw new IllegalStateException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}

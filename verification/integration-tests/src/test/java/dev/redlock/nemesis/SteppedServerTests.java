package dev.redlock.nemesis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spring.autoconfigure.RedlockNodeEvent;
import dev.redlock.test.RedisNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Real servers whose clocks step by an hour, which ends the locks that they hold. No
 * fences, since a node so far from the others would not vote on them anyway.
 */
@Tag("slow")
class SteppedServerTests {

	private static final Duration TTL = Duration.ofSeconds(3);

	private static final Duration BOUND = Duration.ofSeconds(30);

	private static final Duration AN_HOUR = Duration.ofHours(1);

	private final List<RedisNode> servers = new ArrayList<>();

	private final List<SteppedClock> clocks = new ArrayList<>();

	private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

	@TempDir
	private Path directory;

	@BeforeEach
	void startServers() {
		ProcessShim shim = shim();
		for (String name : List.of("a", "b", "c")) {
			SteppedClock clock = shim.clock(name);
			this.clocks.add(clock);
			this.servers.add(RedisNode.start(name, clock.executable()));
		}
	}

	@AfterEach
	void stop() {
		this.contexts.forEach(ConfigurableApplicationContext::close);
		this.servers.forEach(RedisNode::close);
	}

	@Test
	void aServerWhoseClockSteppedIsQuarantinedAndItsGrantDoesNotCount() {
		Redlock first = client(true);
		Redlock second = client(true);
		awaitReady(first);
		awaitReady(second);
		Lease lease = first.attemptAndWait(LockRequest.of("r")).orThrow();
		stepTwoForward();
		LockAttempt attempt = second.attemptAndWait(LockRequest.of("r"));
		// A machine that is too slow for this story has nothing to tell.
		assertThat(attempt.lease().isPresent() && lease.isValid()).isFalse();
		SteppedNodes stepped = this.contexts.get(1).getBean(SteppedNodes.class);
		Awaitility.await().atMost(BOUND).until(() -> {
			// A server tells its time when it grants, and not when it refuses.
			second.attemptAndWait(LockRequest.of("another")).lease().ifPresent(Lease::close);
			return stepped.names.equals(Set.of("a", "b"));
		});
		Awaitility.await().atMost(BOUND).pollInterval(Duration.ofMillis(10)).until(() -> {
			boolean got = second.attemptAndWait(LockRequest.of("r")).lease().isPresent();
			assertThat(got && lease.isValid()).isFalse();
			return got;
		});
	}

	@Test
	void withTheGuardOffTheSecondGetsTheLockThatTheFirstStillHolds() {
		Redlock first = client(false);
		Redlock second = client(false);
		awaitReady(first);
		awaitReady(second);
		Lease lease = first.attemptAndWait(LockRequest.of("r").withTtl(Duration.ofMinutes(1))).orThrow();
		// A node that takes the lock only after the step would keep it by its new time.
		Awaitility.await().atMost(BOUND).until(() -> this.servers.stream().allMatch(SteppedServerTests::hasLock));
		stepTwoForward();
		Awaitility.await().atMost(BOUND).until(() -> second.attemptAndWait(LockRequest.of("r")).lease().isPresent());
		assertThat(lease.isValid()).isTrue();
	}

	@Test
	void aServerWhoseClockSteppedBackGoesOnVoting() {
		Redlock redlock = client(true);
		awaitReady(redlock);
		redlock.attemptAndWait(LockRequest.of("r")).orThrow().close();
		this.clocks.get(0).set(AN_HOUR.negated());
		Lease lease = redlock.attemptAndWait(LockRequest.of("r")).orThrow();
		assertThat(redlock.nodes().get(0).status().state()).isEqualTo(State.READY);
		assertThat(lease.extend(TTL)).isTrue();
	}

	private void stepTwoForward() {
		this.clocks.get(0).set(AN_HOUR);
		this.clocks.get(1).set(AN_HOUR);
	}

	private ProcessShim shim() {
		try {
			return ProcessShim.build(this.directory);
		}
		catch (ProcessShim.Unavailable ex) {
			assumeTrue(false, ex.getMessage());
			throw new IllegalStateException(ex);
		}
	}

	private Redlock client(boolean restartGuard) {
		Map<String, Object> properties = new HashMap<>();
		this.servers.forEach((server) -> properties.put("redlock.instances." + server.name() + ".url",
				"redis://127.0.0.1:" + server.port()));
		properties.put("redlock.ttl", TTL);
		properties.put("redlock.max-ttl", restartGuard ? TTL : Duration.ofMinutes(1));
		properties.put("redlock.wait-for", "0");
		properties.put("redlock.fencing.enabled", false);
		properties.put("redlock.restart-guard.enabled", restartGuard);
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.properties(properties)
			.run();
		this.contexts.add(context);
		return context.getBean(Redlock.class);
	}

	private static boolean hasLock(RedisNode server) {
		return Long.valueOf(1).equals(server.command("EXISTS", "redlock:r"));
	}

	private static void awaitReady(Redlock redlock) {
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> redlock.nodes().stream().allMatch((node) -> node.status().state() == State.READY));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(SteppedNodes.class)
	static class Application {

	}

	/**
	 * Who was quarantined for a step of its clock, however soon that was over.
	 */
	static final class SteppedNodes {

		private final Set<String> names = ConcurrentHashMap.newKeySet();

		@EventListener
		void changed(RedlockNodeEvent event) {
			if (event.to().state() == State.QUARANTINED && event.to().reason().contains("stepped forward by")) {
				this.names.add(event.node());
			}
		}

	}

}

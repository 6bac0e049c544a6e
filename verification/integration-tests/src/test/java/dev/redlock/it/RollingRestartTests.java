package dev.redlock.it;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.lettuce.NodeListener;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spring.template.RedLockTemplate;
import dev.redlock.test.RedisNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Five servers are restarted one after the other while an application goes on locking.
 */
@Tag("slow")
class RollingRestartTests {

	private static final Duration BOUND = Duration.ofSeconds(60);

	private static final LockRequest REQUEST = LockRequest.of("rolling").withTtl(Duration.ofSeconds(1));

	private List<RedisNode> servers = List.of();

	@AfterEach
	void stop() {
		this.servers.forEach(RedisNode::close);
	}

	@Test
	void serversThatKeepEachWriteAreRestartedWithoutAFailedCall() throws Exception {
		try (ConfigurableApplicationContext context = start(RedisNode::startDurable)) {
			Changes changes = context.getBean(Changes.class);
			Calls calls = callWhile(context, () -> oneAfterTheOther(changes, RedisNode::restartWithData));
			System.out.println("Rolling restart, appendfsync always: " + calls);
			assertThat(calls.failed).isZero();
			assertThat(calls.granted).isPositive();
			assertThat(changes.timesIn(State.QUARANTINED)).isZero();
		}
	}

	@Test
	void serversThatForgetAreRestartedWithoutAFailedCallIfEachMayVoteBeforeTheNextIsRestarted() throws Exception {
		try (ConfigurableApplicationContext context = start(RedisNode::start)) {
			Changes changes = context.getBean(Changes.class);
			Calls calls = callWhile(context, () -> oneAfterTheOther(changes, RedisNode::restartEmpty));
			System.out.println("Rolling restart, data lost, one quarantine each: " + calls);
			assertThat(calls.failed).isZero();
			assertThat(changes.timesIn(State.QUARANTINED)).isGreaterThanOrEqualTo(this.servers.size());
		}
	}

	private ConfigurableApplicationContext start(Function<String, RedisNode> server) {
		this.servers = Stream.of("a", "b", "c", "d", "e").map(server).toList();
		SpringApplicationBuilder builder = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties("redlock.max-ttl=5s", "redlock.ttl=1s", "redlock.wait-for=10s");
		this.servers.forEach((node) -> builder
			.properties("redlock.instances." + node.name() + "=redis://" + node.host() + ":" + node.port()));
		ConfigurableApplicationContext context = builder.run();
		Changes changes = context.getBean(Changes.class);
		this.servers.forEach((node) -> changes.await(node.name(), State.READY, 1));
		changes.times.keySet().removeIf((change) -> change.state() == State.QUARANTINED);
		return context;
	}

	private void oneAfterTheOther(Changes changes, Consumer<RedisNode> restart) {
		this.servers.forEach((node) -> {
			int before = changes.times(node.name(), State.READY);
			restart.accept(node);
			changes.await(node.name(), State.READY, before + 1);
		});
	}

	/**
	 * Locks again and again while the servers are restarted.
	 */
	private static Calls callWhile(ConfigurableApplicationContext context, Runnable restarts) throws Exception {
		RedLockTemplate template = context.getBean(RedLockTemplate.class);
		CompletableFuture<Void> restarted = CompletableFuture.runAsync(restarts);
		Calls calls = new Calls();
		try {
			while (!restarted.isDone()) {
				calls.call(template);
			}
		}
		finally {
			// The servers must not be stopped while they are being restarted.
			restarted.join();
		}
		return calls;
	}

	private static final class Calls {

		private int granted;

		private int failed;

		private long slowestNanos;

		void call(RedLockTemplate template) {
			long start = System.nanoTime();
			try {
				this.granted += template.execute(REQUEST, (lease) -> 1);
			}
			catch (LockNotAcquiredException ex) {
				this.failed++;
			}
			this.slowestNanos = Math.max(this.slowestNanos, System.nanoTime() - start);
		}

		@Override
		public String toString() {
			return this.granted + " calls got the lock, " + this.failed + " failed, the slowest took "
					+ Duration.ofNanos(this.slowestNanos).toMillis() + " ms";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Changes changes() {
			return new Changes();
		}

	}

	/**
	 * Counts how often each node came into each state.
	 */
	static final class Changes implements NodeListener {

		private final Map<Change, Integer> times = new ConcurrentHashMap<>();

		@Override
		public void nodeChanged(String node, NodeStatus from, NodeStatus to) {
			this.times.merge(new Change(node, to.state()), 1, Integer::sum);
		}

		void await(String node, State state, int count) {
			Awaitility.await().atMost(BOUND).until(() -> times(node, state) >= count);
		}

		int times(String node, State state) {
			return this.times.getOrDefault(new Change(node, state), 0);
		}

		int timesIn(State state) {
			return this.times.entrySet()
				.stream()
				.filter((entry) -> entry.getKey().state() == state)
				.mapToInt(Map.Entry::getValue)
				.sum();
		}

		private record Change(String node, State state) {

		}

	}

}

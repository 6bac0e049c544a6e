package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.redlock.Lease;
import dev.redlock.LossReason;
import dev.redlock.Redlock;
import dev.redlock.RedlockListener;
import dev.redlock.lettuce.NodeListener;
import dev.redlock.lettuce.RedisProcess;
import dev.redlock.spi.NodeStatus.State;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

class RedlockEventTests {

	private static final Duration BOUND = Duration.ofSeconds(15);

	@Test
	void listenersAndEventsTellOfNodesInTheirOrder() {
		try (RedisProcess redis = RedisProcess.start()) {
			runner(redis).run((context) -> {
				Recorder recorder = context.getBean(Recorder.class);
				Awaitility.await().atMost(BOUND).until(() -> context.getBean(Redlock.class).quorum().isReached());
				redis.restart();
				Awaitility.await().atMost(BOUND).until(() -> recorder.sinceLost().contains("a CHECKING READY"));
				assertThat(recorder.sinceLost().stream().distinct()).containsSubsequence("a READY UNAVAILABLE",
						"a UNAVAILABLE CHECKING", "a CHECKING READY");
				Awaitility.await().atMost(BOUND).until(() -> recorder.told.equals(recorder.events));
				assertThat(recorder.threads).allMatch((name) -> name.startsWith("redlock-listener-"));
			});
		}
	}

	private static ApplicationContextRunner runner(RedisProcess redis) {
		return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RedlockAutoConfiguration.class))
			.withUserConfiguration(Recorder.class)
			.withPropertyValues("redlock.restart-guard.enabled=false",
					"redlock.instances.a.url=redis://127.0.0.1:" + redis.port());
	}

	@Configuration(proxyBeanMethods = false)
	static class Recorder {

		private final List<String> events = new CopyOnWriteArrayList<>();

		private final List<String> told = new CopyOnWriteArrayList<>();

		private final List<String> threads = new CopyOnWriteArrayList<>();

		/**
		 * Without what is told of the start, which may be still under way.
		 */
		List<String> sinceLost() {
			return this.events.stream().dropWhile((event) -> !event.equals("a READY UNAVAILABLE")).toList();
		}

		@EventListener
		void on(RedlockNodeEvent event) {
			this.threads.add(Thread.currentThread().getName());
			this.events.add(event.node() + " " + event.from().state() + " " + event.to().state());
		}

		@EventListener
		void on(RedlockLossEvent event) {
			this.events.add(event.lease().resources() + " " + event.reason());
		}

		@Bean
		NodeListener nodeListener() {
			return (node, from, to) -> this.told.add(node + " " + from.state() + " " + to.state());
		}

		@Bean
		NodeListener failing() {
			return (node, from, to) -> {
				throw new IllegalStateException("This listener fails on " + State.READY);
			};
		}

		@Bean
		RedlockListener leaseListener() {
			return new RedlockListener() {

				@Override
				public void leaseLost(Lease lease, LossReason reason) {
					Recorder.this.told.add(lease.resources() + " " + reason);
				}

			};
		}

	}

}

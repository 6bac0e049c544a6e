package dev.redlock.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spring.autoconfigure.RedlockLossEvent;
import dev.redlock.spring.template.RedLockTemplate;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A deployment with one server gets a second and a third one while it goes on locking.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class OneToThreeTests {

	private static final Duration BOUND = Duration.ofSeconds(60);

	private static final int INSTANCES = 3;

	private static final int LOCKS_BETWEEN_CHANGES = 20;

	private static final LockRequest REQUEST = LockRequest.of("stock").withTtl(Duration.ofSeconds(2));

	private final RedisNodes servers = RedisNodes.start(3);

	private final List<Instance> running = new ArrayList<>();

	private final Shop shop = new Shop();

	@BeforeEach
	void startWithOne() {
		IntStream.range(0, INSTANCES).forEach((i) -> start(1));
	}

	@AfterEach
	void stop() {
		this.running.forEach(Instance::close);
		this.servers.close();
	}

	@Test
	void oneServerBecomesThreeUnderLoadAndNoLockIsLost() {
		this.running.forEach((instance) -> instance.sell(this.shop));
		this.shop.awaitSales(LOCKS_BETWEEN_CHANGES);
		for (int servers = 2; servers <= 3; servers++) {
			for (int i = 0; i < INSTANCES; i++) {
				replaceFirst(servers);
				this.shop.awaitSales(LOCKS_BETWEEN_CHANGES);
			}
		}
		this.servers.get(0).kill();
		this.shop.awaitSales(LOCKS_BETWEEN_CHANGES);
		this.running.forEach(Instance::close);
		assertThat(this.shop.violations).isEmpty();
		assertThat(this.shop.sales.get()).isEqualTo(this.shop.stock);
	}

	@Test
	void fromOneToThreeAtOnceTwoClientsHoldOneLock(CapturedOutput output) {
		RedLockTemplate old = this.running.get(0).template();
		RedLockTemplate changed = start(3).template();
		LockRequest request = LockRequest.of("split").withWaitFor(Duration.ZERO);
		try (Lease first = old.acquire(request); Lease second = changed.acquire(request)) {
			assertThat(first.isValid()).isTrue();
			assertThat(second.isValid()).isTrue();
		}
		// Clients with the same label tell each other apart when each has announced
		// itself
		// once more, a minute later.
		Awaitility.await()
			.atMost(BOUND.multipliedBy(2))
			.until(() -> output.getOut().contains("Both clients may hold the same lock"));
	}

	/**
	 * Starts the next version of an instance, and ends the former one when all servers of
	 * the next one vote.
	 */
	private void replaceFirst(int servers) {
		Instance former = this.running.remove(0);
		start(servers).sell(this.shop);
		former.close();
	}

	private Instance start(int servers) {
		Instance started = new Instance(this.servers.asList().subList(0, servers));
		this.running.add(started);
		Redlock redlock = started.context.getBean(Redlock.class);
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> redlock.nodes().stream().allMatch((node) -> node.status().state() == State.READY));
		return started;
	}

	/**
	 * What is sold under the lock. A sale reads and writes apart, so that two at once
	 * lose one.
	 */
	private static final class Shop implements ApplicationListener<PayloadApplicationEvent<RedlockLossEvent>> {

		private final Queue<String> violations = new ConcurrentLinkedQueue<>();

		private final AtomicInteger sales = new AtomicInteger();

		private final AtomicInteger inside = new AtomicInteger();

		private volatile int stock;

		private volatile long lastFence;

		@Override
		public void onApplicationEvent(PayloadApplicationEvent<RedlockLossEvent> event) {
			this.violations.add("lost: " + event.getPayload().reason());
		}

		int sell(Lease lease) {
			if (this.inside.incrementAndGet() != 1) {
				this.violations.add("two at once");
			}
			if (lease.fence() <= this.lastFence) {
				this.violations.add("fence " + lease.fence() + " after " + this.lastFence);
			}
			this.lastFence = lease.fence();
			int before = this.stock;
			Thread.yield();
			this.stock = before + 1;
			this.inside.decrementAndGet();
			return this.sales.incrementAndGet();
		}

		void awaitSales(int more) {
			int target = this.sales.get() + more;
			Awaitility.await().atMost(BOUND).until(() -> this.sales.get() >= target);
		}

	}

	/**
	 * One instance of the application, with a thread that sells.
	 */
	private static final class Instance implements AutoCloseable {

		private final ConfigurableApplicationContext context;

		private final AtomicBoolean closing = new AtomicBoolean();

		private CompletableFuture<Void> selling = CompletableFuture.completedFuture(null);

		Instance(List<RedisNode> servers) {
			SpringApplicationBuilder builder = new SpringApplicationBuilder(Application.class)
				.web(WebApplicationType.NONE)
				.bannerMode(Banner.Mode.OFF)
				.properties("redlock.max-ttl=2s", "redlock.ttl=2s", "redlock.wait-for=30s");
			servers.forEach((node) -> builder
				.properties("redlock.instances." + node.name() + "=redis://" + node.host() + ":" + node.port()));
			this.context = builder.run();
		}

		RedLockTemplate template() {
			return this.context.getBean(RedLockTemplate.class);
		}

		void sell(Shop shop) {
			this.context.addApplicationListener(shop);
			RedLockTemplate template = template();
			this.selling = CompletableFuture.runAsync(() -> {
				while (!this.closing.get()) {
					template.execute(REQUEST, shop::sell);
				}
			});
		}

		@Override
		public void close() {
			this.closing.set(true);
			this.selling.orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join();
			this.context.close();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}

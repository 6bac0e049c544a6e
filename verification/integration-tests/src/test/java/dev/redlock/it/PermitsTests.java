package dev.redlock.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockTemplate;
import dev.redlock.test.RedisNodes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Permits on five servers, asked for by the threads of two applications.
 */
@Tag("slow")
class PermitsTests {

	private static final int PERMITS = 3;

	private static final int THREADS = 8;

	private static final int CALLS = 40;

	private static final LockRequest ONE = LockRequest.of("ocr")
		.withPermits(PERMITS)
		.withWaitFor(Duration.ofSeconds(60));

	private final RedisNodes nodes = RedisNodes.start(5);

	private final ExecutorService threads = Executors.newFixedThreadPool(2 * THREADS);

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicInteger most = new AtomicInteger();

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
		this.nodes.close();
	}

	@Test
	void neverMoreCallsThanPermitsRunAndEachCallRuns() throws Exception {
		try (ConfigurableApplicationContext one = LockedApplication.start(this.nodes);
				ConfigurableApplicationContext two = LockedApplication.start(this.nodes)) {
			List<Future<Integer>> calls = new ArrayList<>();
			for (ConfigurableApplicationContext context : List.of(one, two)) {
				LockedApplication.awaitReady(context);
				RedLockTemplate locks = context.getBean(RedLockTemplate.class);
				for (int i = 0; i < THREADS; i++) {
					calls.add(this.threads.submit(() -> callOften(locks)));
				}
			}
			int ran = 0;
			for (Future<Integer> each : calls) {
				ran += each.get(120, TimeUnit.SECONDS);
			}
			assertThat(ran).isEqualTo(2 * THREADS * CALLS);
			assertThat(this.most.get()).isBetween(2, PERMITS);
		}
	}

	private int callOften(RedLockTemplate locks) {
		for (int i = 0; i < CALLS; i++) {
			locks.execute(ONE, (lease) -> {
				this.most.accumulateAndGet(this.running.incrementAndGet(), Math::max);
				Thread.yield();
				return this.running.decrementAndGet();
			});
		}
		return CALLS;
	}

}

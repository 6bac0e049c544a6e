package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.lettuce.RedisProcess;
import dev.redlock.spi.NodeStatus.State;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that ends with thousands of leases, and does not wait for their work.
 */
@Timeout(180)
class ManyLeasesAtShutdownTests extends ThreeServers {

	private static final Duration BOUND = Duration.ofSeconds(60);

	private final List<RedisProcess> more = new ArrayList<>();

	@AfterEach
	void stopServers() {
		this.more.forEach(RedisProcess::close);
	}

	@Test
	void fiveThousandLeasesLeaveNoKeyOnThreeServers() {
		deleting(three()).run((context) -> {
			hold(context, 5_000);
			context.getSourceApplicationContext().close();
			List.of(a, b, c).forEach((server) -> assertThat(keys(server)).isZero());
		});
	}

	@Test
	void aThousandLeasesLeaveNoKeyOnFourServersWhileAFifthIsFrozen() {
		this.more.add(RedisProcess.start());
		this.more.add(RedisProcess.start());
		deleting(three())
			.withPropertyValues("redlock.instances.d.host=127.0.0.1",
					"redlock.instances.d.port=" + this.more.get(0).port(), "redlock.instances.e.host=127.0.0.1",
					"redlock.instances.e.port=" + this.more.get(1).port())
			.run((context) -> {
				hold(context, 1_000);
				this.more.get(1).freeze();
				context.getSourceApplicationContext().close();
				List.of(a, b, c, this.more.get(0)).forEach((server) -> assertThat(keys(server)).isZero());
			});
		this.more.get(1).thaw();
	}

	private static ApplicationContextRunner deleting(ApplicationContextRunner runner) {
		return runner.withPropertyValues("redlock.shutdown-timeout=0s", "redlock.shutdown.release-running=true");
	}

	private static void hold(AssertableApplicationContext context, int leases) {
		LockNodes nodes = context.getBean(LockNodes.class);
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> nodes.list().stream().allMatch((node) -> node.status().state() == State.READY));
		Redlock redlock = context.getBean(Redlock.class);
		List<CompletableFuture<LockAttempt>> attempts = IntStream.range(0, leases)
			.mapToObj((i) -> redlock.attempt(LockRequest.of("many:" + i).withWaitFor(BOUND)).toCompletableFuture())
			.toList();
		attempts.forEach((attempt) -> assertThat(attempt).succeedsWithin(BOUND)
			.satisfies((ended) -> assertThat(ended.lease()).as("%s", ended).isPresent()));
	}

	private static int keys(RedisProcess server) {
		List<String> keys = server.ask((redis) -> redis.keys("redlock:many:*"));
		return (int) keys.stream().filter((key) -> !key.endsWith(":fence")).count();
	}

}

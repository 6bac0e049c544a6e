package dev.redlock.spring.leader;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.redlock.CurrentLease;
import dev.redlock.Redlock;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Ticker;
import dev.redlock.spring.autoconfigure.RedlockAnnotationAutoConfiguration;
import dev.redlock.spring.autoconfigure.RedlockAutoConfiguration;
import dev.redlock.spring.autoconfigure.RedlockReactiveAutoConfiguration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two candidates, of which the leader's application ends while a call of the leader runs.
 */
class LeaderAtShutdownTests {

	private static final Duration BOUND = Duration.ofSeconds(50);

	private final List<InMemoryNode> nodes = Stream.of("a", "b", "c")
		.map((name) -> new InMemoryNode(name, Ticker.SYSTEM))
		.toList();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class, RedlockAutoConfiguration.class,
				RedlockReactiveAutoConfiguration.class, RedlockAnnotationAutoConfiguration.class,
				RedlockLeaderAutoConfiguration.class))
		.withBean(LockNodes.class, () -> LockNodes.of(this.nodes))
		.withPropertyValues("redlock.shutdown-timeout=10m")
		.withBean(Importer.class);

	@Test
	void nobodyElseLeadsBeforeTheCallHasEnded() {
		this.runner.run((one) -> {
			Awaitility.await().atMost(BOUND).until(role(one)::isLeader);
			this.runner.run((two) -> {
				CompletableFuture<Void> began = new CompletableFuture<>();
				CompletableFuture<Void> end = new CompletableFuture<>();
				Importer importer = one.getBean(Importer.class);
				CompletableFuture<Boolean> leading = new CompletableFuture<>();
				new Thread(() -> leading.complete(importer.run(began, end))).start();
				assertThat(began).succeedsWithin(BOUND);
				CompletableFuture<Void> closing = CompletableFuture.runAsync(one.getSourceApplicationContext()::close,
						(close) -> new Thread(close).start());
				Awaitility.await().atMost(BOUND).until(one.getBean(Redlock.class)::isClosed);
				assertThat(role(two).isLeader()).as("another process leads while a call of the leader runs").isFalse();
				assertThat(closing).isNotDone();
				end.complete(null);
				assertThat(leading).as("the call ends as the leader").succeedsWithin(BOUND).isEqualTo(true);
				assertThat(closing).succeedsWithin(BOUND);
				Awaitility.await().atMost(BOUND).until(role(two)::isLeader);
			});
		});
	}

	private static LeaderRole role(ApplicationContext context) {
		return context.getBean(LeaderTemplate.class).role("importer");
	}

	static class Importer {

		@LeaderOnly("importer")
		public Boolean run(CompletableFuture<Void> began, CompletableFuture<Void> end) {
			began.complete(null);
			end.join();
			return CurrentLease.require().isValid();
		}

	}

}

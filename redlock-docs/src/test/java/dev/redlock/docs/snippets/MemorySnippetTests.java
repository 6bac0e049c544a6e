package dev.redlock.docs.snippets;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.redlock.Lease;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.LossReason;
import dev.redlock.Redlock;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;
import dev.redlock.spring.template.RedLockAssert;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the page about testing shows without an application context.
 */
class MemorySnippetTests {

	// region: testing-memory
	private final ManualTime time = new ManualTime();

	private final List<InMemoryNode> nodes = Stream.of("a", "b", "c")
		.map((name) -> new InMemoryNode(name, this.time))
		.toList();

	private final Redlock redlock = Redlock.over(this.nodes)
		.ticker(this.time)
		.scheduler(this.time)
		.random(new Random(42))
		.callbacks(Runnable::run)
		.build();

	@Test
	void aLeaseIsLostWhenItsTimeIsOver() {
		LockRequest request = LockRequest.of("stock:42").withTtl(Duration.ofSeconds(10));
		Lease lease = this.redlock.attemptAndWait(request).orThrow();
		this.time.advance(Duration.ofSeconds(10));
		assertThat(lease.isValid()).isFalse();
		assertThat(lease.lost().toCompletableFuture()).isCompletedWithValue(LossReason.EXPIRED);
	}

	@Test
	void twoOfThreeNodesDownAreTooMany() {
		this.nodes.get(0).down();
		this.nodes.get(1).down();
		LockRequest request = LockRequest.of("stock:42").withWaitFor(Duration.ZERO);
		assertThat(this.redlock.attemptAndWait(request).reason()).contains(Reason.NO_QUORUM);
	}

	// endregion

	@Test
	void nodesWithoutSpring() {
		// region: testing-nodes
		try (RedisNodes nodes = RedisNodes.start(3); RedisNode durable = RedisNode.startDurable("d")) {
			nodes.get("a").freeze(); // as SIGSTOP does
			nodes.get("b").kill(); // as kill -9 does, and its data are gone
			nodes.get("b").restartEmpty();
			durable.command("SET", "key", "value");
			durable.restartWithData();
			assertThat(durable.command("GET", "key")).isEqualTo("value");
		}
		// endregion
	}

	@Test
	void aFakeStandsInForTheTemplate() {
		// region: testing-fake
		NoLocks template = new NoLocks();
		String result = template.execute("stock:42", Duration.ofSeconds(10), (lease) -> "sold");
		assertThat(result).isEqualTo("sold");
		assertThat(template.requests()).containsExactly(LockRequest.of("stock:42").withTtl(Duration.ofSeconds(10)));
		// endregion
		assertThat(template.tryAcquire(LockRequest.of("y"))).isPresent();
		assertThat(template.executeAsync(LockRequest.of("x"), (lease) -> CompletableFuture.completedFuture(1)))
			.isCompletedWithValue(1);
	}

	@Test
	@SuppressWarnings("try")
	void codeThatInsistsOnItsLockRunsInTestMode() {
		// region: testing-assert
		try (var mode = RedLockAssert.testMode("stock:42")) {
			RedLockAssert.assertLocked("stock:42"); // in the code under test
		}
		// endregion
	}

}

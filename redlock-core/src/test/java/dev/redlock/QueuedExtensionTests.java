package dev.redlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Extensions whose callers wait for nodes that do not answer.
 */
class QueuedExtensionTests {

	private static final Duration LONG = Duration.ofSeconds(50);

	private static final Duration LEFT = Duration.ofMillis(9_898);

	private final RedlockFixture fixture = new RedlockFixture(3,
			RedlockFixture.settings().toBuilder().nodeTimeout(Duration.ofMillis(20)).build());

	private final Lease lease = this.fixture.acquire("stock");

	@Test
	void anExtensionThatWaitsBehindAnotherDoesNotSucceedAfterItWasReportedAsFailed() {
		this.fixture.nodes.forEach(InMemoryNode::freeze);
		CompletableFuture<Boolean> first = this.lease.extendAsync(Duration.ofSeconds(10)).toCompletableFuture();
		assertThat(this.lease.extend(LONG)).isFalse();
		this.fixture.nodes.forEach(InMemoryNode::up);
		assertThat(first).isCompletedWithValue(true);
		assertThat(this.lease.remaining()).isEqualTo(LEFT);
	}

	@Test
	void anExtensionThatIsUnderWayDoesNotSucceedAfterItWasReportedAsFailed() {
		this.fixture.nodes.forEach(InMemoryNode::freeze);
		assertThat(this.lease.extend(LONG)).isFalse();
		this.fixture.nodes.forEach(InMemoryNode::up);
		assertThat(this.lease.remaining()).isEqualTo(LEFT);
		assertThat(this.lease.extend(LONG)).isTrue();
		assertThat(this.lease.remaining()).isGreaterThan(LEFT);
	}

	@Test
	void anExtensionWhoseCallerIsInterruptedDoesNotSucceedLater() {
		this.fixture.nodes.forEach(InMemoryNode::freeze);
		Thread.currentThread().interrupt();
		assertThat(this.lease.extend(LONG)).isFalse();
		assertThat(Thread.interrupted()).isTrue();
		this.fixture.nodes.forEach(InMemoryNode::up);
		assertThat(this.lease.remaining()).isEqualTo(LEFT);
	}

	@Test
	void anExtensionThatWaitsBehindAnotherSucceedsInTime() {
		this.fixture.nodes.forEach(InMemoryNode::freeze);
		this.lease.extendAsync(Duration.ofSeconds(10));
		CompletableFuture<Boolean> second = this.lease.extendAsync(LONG).toCompletableFuture();
		this.fixture.nodes.forEach(InMemoryNode::up);
		assertThat(second).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo(true);
		assertThat(this.lease.remaining()).isGreaterThan(LEFT);
	}

}

package dev.redlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Extensions whose callers wait for nodes that do not answer.
 */
class QueuedExtensionTests {

	private static final Duration LONG = Duration.ofSeconds(50);

	private static final Duration LEFT = Duration.ofMillis(9_898);

	@RegisterExtension
	final LockWorld world = new LockWorld(3,
			LockWorld.settings().toBuilder().nodeTimeout(Duration.ofMillis(20)).build());

	private final Lease lease = this.world.acquire("stock");

	@Test
	void anExtensionThatWaitsBehindAnotherDoesNotSucceedAfterItWasReportedAsFailed() {
		this.world.nodes.forEach(InMemoryNode::freeze);
		CompletableFuture<Boolean> first = this.lease.extendAsync(Duration.ofSeconds(10)).toCompletableFuture();
		assertThat(this.lease.extend(LONG)).isFalse();
		this.world.nodes.forEach(InMemoryNode::up);
		assertThat(first).isCompletedWithValue(true);
		assertThat(this.lease.remaining()).isEqualTo(LEFT);
	}

	@Test
	void anExtensionThatIsUnderWayDoesNotSucceedAfterItWasReportedAsFailed() {
		this.world.nodes.forEach(InMemoryNode::freeze);
		assertThat(this.lease.extend(LONG)).isFalse();
		this.world.nodes.forEach(InMemoryNode::up);
		assertThat(this.lease.remaining()).isEqualTo(LEFT);
		assertThat(this.lease.extend(LONG)).isTrue();
		assertThat(this.lease.remaining()).isGreaterThan(LEFT);
	}

	@Test
	void anExtensionWhoseCallerIsInterruptedDoesNotSucceedLater() {
		this.world.nodes.forEach(InMemoryNode::freeze);
		Thread.currentThread().interrupt();
		assertThat(this.lease.extend(LONG)).isFalse();
		assertThat(Thread.interrupted()).isTrue();
		this.world.nodes.forEach(InMemoryNode::up);
		assertThat(this.lease.remaining()).isEqualTo(LEFT);
	}

	@Test
	void anExtensionThatWaitsBehindAnotherSucceedsInTime() {
		this.world.nodes.forEach(InMemoryNode::freeze);
		this.lease.extendAsync(Duration.ofSeconds(10));
		CompletableFuture<Boolean> second = this.lease.extendAsync(LONG).toCompletableFuture();
		this.world.nodes.forEach(InMemoryNode::up);
		assertThat(second).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo(true);
		assertThat(this.lease.remaining()).isGreaterThan(LEFT);
	}

}

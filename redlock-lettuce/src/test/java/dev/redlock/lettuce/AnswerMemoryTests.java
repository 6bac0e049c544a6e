package dev.redlock.lettuce;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import com.sun.management.ThreadMXBean;
import dev.redlock.spi.Claim;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Watch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static dev.redlock.lettuce.NodeFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the I/O thread allocates for a lock.
 */
class AnswerMemoryTests {

	private static final int ROUNDS = 300;

	private static final int LOCKS = 20;

	/** Less than one object for a lock. */
	private static final long NOISE = 15;

	/**
	 * A connection of Lettuce that copies each answer needs 500 bytes more for a lock.
	 */
	private static final long LIMIT = 4_900;

	private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	@Test
	void aConnectionThatHasSubscribedAllocatesNothingMoreForAnAnswer() {

		RedisLockNode silent = node("silent");
		RedisLockNode subscribed = node("subscribed");
		Watch watch = subscribed.watch("other", NodeFixture.IGNORING);
		await(watch::isListening);
		long least = Long.MAX_VALUE;
		long leastSubscribed = Long.MAX_VALUE;
		for (int i = 0; i < ROUNDS; i++) {
			least = Math.min(least, bytesForALock(silent));
			leastSubscribed = Math.min(leastSubscribed, bytesForALock(subscribed));
		}
		assertThat(leastSubscribed).as("bytes for a lock").isLessThanOrEqualTo(least + NOISE).isLessThan(LIMIT);
	}

	private RedisLockNode node(String name) {
		return await(this.fixture.lettuce(name, this.fixture.server().uri(), NodeFixture.unguarded()), State.READY);
	}

	private long bytesForALock(RedisLockNode node) {
		long before = allocated();
		CompletableFuture.completedFuture(null)
			.thenComposeAsync((start) -> lock(node, LOCKS), this.fixture.loop)
			.orTimeout(NodeFixture.BOUND.toSeconds(), TimeUnit.SECONDS)
			.join();
		return (allocated() - before) / LOCKS;
	}

	private CompletionStage<Vote> lock(RedisLockNode node, int times) {
		Claim claim = NodeFixture.claim("k", "t");
		CompletionStage<Vote> released = node.acquire(claim, this.fixture.fence())
			.thenCompose((granted) -> node.release(claim, Duration.ZERO, true));
		return (times == 1) ? released : released.thenCompose((vote) -> lock(node, times - 1));
	}

	private long allocated() {
		return CompletableFuture
			.supplyAsync(() -> this.threads.getThreadAllocatedBytes(Thread.currentThread().getId()), this.fixture.loop)
			.join();
	}

}

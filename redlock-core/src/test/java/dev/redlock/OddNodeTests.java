package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nodes of somebody else that break their contract count as nodes that are at fault.
 */
class OddNodeTests {

	private static final LockRequest AT_ONCE = LockRequest.of("stock").withWaitFor(Duration.ZERO);

	@RegisterExtension
	final LockWorld world = new LockWorld(3);

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aMajorityThatReturnsNoStageOrThrowsIsNoQuorum(boolean throwing) {
		List<LockNode> nodes = new ArrayList<>(this.world.counted);
		nodes.replaceAll((node) -> (node != this.world.counted.get(2)) ? new Odd(node, throwing) : node);
		CompletableFuture<LockAttempt> attempt = this.world.attempt(
				this.world.process(this.world.over(nodes, LockWorld.settings(), 7)), AT_ONCE.withAwaitReason(true));
		assertThat(attempt).isCompletedWithValueMatching((ended) -> ended.reason().orElseThrow() == Reason.NO_QUORUM);
	}

	@Test
	void aMajorityThatThrowsAtATickEndsTheRequest() {
		this.world.counted.subList(0, 2).forEach((node) -> node.beforeTick = () -> {
			throw new IllegalArgumentException("of a node");
		});
		CompletableFuture<LockAttempt> attempt = this.world.attempt(this.world.redlock,
				AT_ONCE.withTick(Tick.atLeast(Duration.ofMinutes(1), Duration.ofSeconds(1))));
		this.world.time.advance(Duration.ofSeconds(10));
		assertThat(attempt).isCompletedWithValueMatching((ended) -> ended.reason().isPresent());
	}

	private static final class Odd extends CountingNode {

		private final boolean throwing;

		private Odd(LockNode node, boolean throwing) {
			super(node);
			this.throwing = throwing;
		}

		@Override
		@SuppressWarnings("NullAway") // A null is what this is about.
		public CompletionStage<Vote> acquire(Claim claim, long fence) {
			if (this.throwing) {
				throw new NoClassDefFoundError("of a node");
			}
			return null;
		}

	}

}

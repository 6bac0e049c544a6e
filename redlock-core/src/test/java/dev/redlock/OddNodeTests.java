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

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nodes of somebody else that break their contract count as nodes that are at fault.
 */
class OddNodeTests {

	private static final LockRequest AT_ONCE = LockRequest.of("stock").withWaitFor(Duration.ZERO);

	@RegisterExtension
	final LockWorld world = new LockWorld(3);

	@Test
	void aNodeThatReturnsNoStageIsAtFault() {
		Lease lease = this.world.acquire(process(1), AT_ONCE);
		lease.close();
		assertThat(this.world.isHeld("stock")).isFalse();
	}

	@Test
	void aMajorityThatReturnsNoStageIsNoQuorum() {
		CompletableFuture<LockAttempt> attempt = this.world.attempt(process(2), AT_ONCE);
		assertThat(attempt).isCompletedWithValueMatching((ended) -> ended.reason().orElseThrow() == Reason.NO_QUORUM);
	}

	@Test
	void aMajorityThatThrowsAnErrorIsNoQuorumToo() {
		List<LockNode> nodes = this.world.counted.stream().<LockNode>map(Broken::new).toList();
		CompletableFuture<LockAttempt> attempt = this.world.attempt(
				this.world.process(this.world.over(nodes, LockWorld.settings(), 7)), AT_ONCE.withAwaitReason(true));
		assertThat(attempt).isCompletedWithValueMatching((ended) -> ended.reason().orElseThrow() == Reason.NO_QUORUM);
	}

	/** A process for which some nodes return no stage. */
	private Redlock process(int odd) {
		List<LockNode> nodes = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			CountingNode node = this.world.counted.get(i);
			nodes.add((i < odd) ? new Stageless(node) : node);
		}
		return this.world.process(this.world.over(nodes, LockWorld.settings(), 7));
	}

	private static final class Broken extends CountingNode {

		private Broken(LockNode node) {
			super(node);
		}

		@Override
		public CompletionStage<Vote> acquire(Claim claim, long fence) {
			throw new NoClassDefFoundError("of a node");
		}

	}

	private static final class Stageless extends CountingNode {

		private Stageless(LockNode node) {
			super(node);
		}

		@Override
		@SuppressWarnings("NullAway") // A null is what this is about.
		public CompletionStage<Vote> acquire(Claim claim, long fence) {
			return null;
		}

		@Override
		@SuppressWarnings("NullAway") // A null is what this is about.
		public CompletionStage<Vote> release(Claim claim, Duration keep, boolean announce) {
			return null;
		}

	}

}

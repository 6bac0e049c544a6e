package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.Claim;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process whose nodes may not vote (for it) releases a lock for which one of its own
 * requests waits, and one of another process.
 */
class HandoverWithoutQuorumTests {

	private static final LockRequest STOCK = LockRequest.of("stock")
		.withTtl(Duration.ofSeconds(60))
		.withWaitFor(Duration.ofSeconds(50));

	@RegisterExtension
	final LockWorld world = new LockWorld(5);

	private boolean quarantined;

	@Test
	void aLockThatIsHandedToARequestWhichMayNotAskIsAnnounced() {
		List<CountingNode> mine = this.world.nodes.stream().map((node) -> (CountingNode) new CountingNode(node) {
			@Override
			public CompletionStage<Vote> acquire(Claim claim, long fence) {
				return HandoverWithoutQuorumTests.this.quarantined
						? CompletableFuture
							.completedStage(new Vote.Faulted(Fault.STALE, "quarantined after a clock step", false))
						: super.acquire(claim, fence);
			}
		}).toList();
		mine.forEach((node) -> node.status = () -> this.quarantined
				? new NodeStatus(State.QUARANTINED, "clock step", Duration.ofSeconds(61)) : NodeStatus.READY);
		Redlock here = this.world.process(this.world.over(mine, LockWorld.settings(), 7));
		Lease holder = this.world.acquire(here, STOCK);
		CompletableFuture<LockAttempt> next = this.world.attempt(here, STOCK);
		CompletableFuture<LockAttempt> other = this.world.attempt(this.world.other, STOCK);
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(other).isNotDone();
		this.quarantined = true;
		holder.close();
		this.world.time.advance(Duration.ofSeconds(2));
		assertThat(this.world.answered(next).reason()).contains(Reason.NO_QUORUM);
		assertThat(other).as("the lock has been free for 2 s, and the other process waits for it").isDone();
	}

}

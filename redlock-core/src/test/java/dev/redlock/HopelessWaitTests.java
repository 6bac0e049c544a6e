package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A request does not wait for nodes that are known not to vote before its time is over.
 */
class HopelessWaitTests {

	private static final LockRequest FIVE_SECONDS = LockRequest.of("stock").withWaitFor(Duration.ofSeconds(5));

	private static final Duration QUARANTINE = Duration.ofSeconds(55);

	@RegisterExtension
	final LockWorld world = new LockWorld(5);

	private final ManualTime time = this.world.time;

	private final List<CountingNode> nodes = this.world.counted;

	private final Redlock redlock = this.world.process(this.world.over(this.nodes, LockWorld.settings(), 2));

	@Test
	void aMajorityInQuarantineForLongerThanTheWaitFailsAtOnce() {
		quarantined(QUARANTINE, 0, 1, 2);
		LockAttempt attempt = attempt(FIVE_SECONDS).getNow(null);
		assertThat(attempt).as("at once").isNotNull();
		assertThat(attempt.reason()).contains(Reason.NO_QUORUM);
		assertThat(attempt.tries()).isEqualTo(1);
		assertThat(this.time.pending()).as("the ends of three quarantines").isEqualTo(3);
	}

	@Test
	void aQuarantineThatEndsWithinTheWaitIsWaitedFor() {
		quarantined(QUARANTINE, 0, 1, 2);
		CompletableFuture<LockAttempt> attempt = attempt(FIVE_SECONDS.withWaitFor(Duration.ofSeconds(60)));
		assertThat(attempt).isNotDone();
		this.time.advance(Duration.ofSeconds(54));
		assertThat(attempt).isNotDone();
		this.time.advance(Duration.ofSeconds(2));
		assertThat(completed(attempt).lease()).isPresent();
	}

	@ParameterizedTest
	@EnumSource(names = { "UNAVAILABLE", "CHECKING" })
	void nodesThatMayBeReadyAtAnyMomentAreWaitedFor(State state) {
		for (int node : new int[] { 0, 1, 2 }) {
			this.nodes.get(node).status = () -> NodeStatus.of(state, "for now");
			this.world.nodes.get(node).down();
		}
		CompletableFuture<LockAttempt> attempt = attempt(FIVE_SECONDS);
		this.time.advance(Duration.ofSeconds(2));
		assertThat(attempt).isNotDone();
		this.world.nodes.forEach(InMemoryNode::up);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(completed(attempt).lease()).isPresent();
	}

	@Test
	void aRequestThatWaitsFailsWhenItsNodesTurnOutToBeUnfit() {
		for (int node : new int[] { 0, 1, 2 }) {
			this.world.nodes.get(node).down();
		}
		CompletableFuture<LockAttempt> attempt = attempt(FIVE_SECONDS);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(attempt).isNotDone();
		for (int node : new int[] { 0, 1, 2 }) {
			this.nodes.get(node).status = () -> NodeStatus.of(State.UNFIT, "evicts keys");
		}
		this.time.advance(Duration.ofSeconds(1));
		assertThat(attempt).isDone();
		assertThat(completed(attempt).reason()).contains(Reason.NO_QUORUM);
	}

	private CompletableFuture<LockAttempt> attempt(LockRequest request) {
		return this.redlock.attempt(request).toCompletableFuture();
	}

	/**
	 * Lets nodes refuse to vote, and vote when that time is over.
	 */
	private void quarantined(Duration remaining, int... which) {
		long endNanos = this.time.nanoTime() + remaining.toNanos();
		for (int node : which) {
			InMemoryNode server = this.world.nodes.get(node);
			server.down();
			this.time.schedule(remaining, server::up);
			this.nodes.get(node).status = () -> {
				Duration left = Duration.ofNanos(Math.max(0, endNanos - this.time.nanoTime()));
				return left.isZero() ? NodeStatus.READY
						: new NodeStatus(State.QUARANTINED, "may have forgotten locks", left);
			};
		}
	}

}

package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * A lock that is closed and opened again.
 */
class ReopenedLockTests {

	@RegisterExtension
	final LockWorld world = new LockWorld(3);

	private final Redlock redlock = this.world.redlock;

	@Test
	void itServesRequestsAgainEachTime() {
		for (int i = 0; i < 3; i++) {
			Lease before = this.world.acquire("a");
			this.redlock.close();
			assertThat(before.isValid()).isFalse();
			assertThat(completed(this.world.attempt(LockRequest.of("a"))).reason()).contains(Reason.SHUTTING_DOWN);
			this.redlock.open();
			Lease after = this.world.acquire("a");
			before.close();
			assertThat(after.isValid()).isTrue();
			assertThat(this.world.heldOn("a")).isEqualTo(3);
			after.close();
		}
		assertThat(this.world.losses).containsOnly("[a] SHUT_DOWN").hasSize(3);
	}

	@Test
	void noNodeIsReadyForAClosedLock() {
		assertThat(this.redlock.isClosed()).isFalse();
		this.redlock.close();
		assertThat(this.redlock.isClosed()).isTrue();
		assertThat(this.redlock.quorum()).isEqualTo(new QuorumStatus(3, 0, 2));
		this.redlock.open();
		assertThat(this.redlock.isClosed()).isFalse();
		assertThat(this.redlock.quorum()).isEqualTo(new QuorumStatus(3, 3, 2));
	}

	@Test
	void aReleaseThatFailedBeforeTheEndIsRepeatedAfterIt() {
		this.world.acquire("a");
		this.world.nodes.forEach(InMemoryNode::down);
		CompletableFuture<Void> closed = this.redlock.closeAsync().toCompletableFuture();
		this.world.time.advance(Duration.ofMillis(500));
		assertThat(closed).isCompleted();
		this.world.nodes.forEach(InMemoryNode::up);
		this.redlock.open();
		CompletableFuture<LockAttempt> waiting = this.world
			.attempt(LockRequest.of("a").withWaitFor(Duration.ofSeconds(5)));
		this.world.time.advance(Duration.ofSeconds(5));
		assertThat(completed(waiting).reason()).isEmpty();
	}

	@Test
	void nodesAreConnectedBeforeTheFirstRequestAndDisconnectedAfterTheLastRelease() {
		List<String> events = new ArrayList<>();
		Redlock lock = this.world.process(this.world.over(this.world.nodes, LockWorld.settings(), 2)
			.connections(() -> events.add("connected"),
					() -> events.add("disconnected with " + this.world.heldOn("a") + " keys")));
		assertThat(events).isEmpty();
		completed(lock.attempt(LockRequest.of("a"))).orThrow();
		completed(lock.attempt(LockRequest.of("b"))).orThrow();
		assertThat(events).containsExactly("connected");
		lock.open();
		assertThat(events).containsExactly("connected");
		lock.close();
		lock.close();
		completed(lock.attempt(LockRequest.of("b")));
		assertThat(events).containsExactly("connected", "disconnected with 0 keys");
		lock.open();
		assertThat(events).last().isEqualTo("connected");
	}

	@Test
	void aLockThatWasNeverOpenHasNothingToDisconnect() {
		List<String> events = new ArrayList<>();
		Redlock lock = this.world.process(this.world.over(this.world.nodes, LockWorld.settings(), 2)
			.connections(() -> events.add("connected"), () -> events.add("disconnected")));
		lock.close();
		assertThat(completed(lock.attempt(LockRequest.of("a"))).reason()).contains(Reason.SHUTTING_DOWN);
		assertThat(events).isEmpty();
	}

	@Test
	void aLockWhoseNodesCannotBeConnectedStaysClosed() {
		List<String> failures = new ArrayList<>();
		Redlock lock = this.world.process(this.world.over(this.world.nodes, LockWorld.settings(), 2).connections(() -> {
			if (failures.isEmpty()) {
				failures.add("failed");
				throw new IllegalStateException("two names for one server");
			}
		}, () -> {
		}));
		lock.close();
		assertThatIllegalStateException().isThrownBy(lock::open).withMessage("two names for one server");
		assertThat(lock.isClosed()).isTrue();
		lock.open();
		assertThat(completed(lock.attempt(LockRequest.of("a"))).reason()).isEmpty();
	}

}

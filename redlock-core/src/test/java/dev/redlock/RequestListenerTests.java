package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Vote;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RequestListenerTests {

	private static final LockRequest STOCK = LockRequest.of("stock").withOrigin("tests").withWaitFor(Duration.ZERO);

	@RegisterExtension
	final LockWorld world = new LockWorld(3);

	private final Recorder recorder = new Recorder();

	private Redlock redlock = listened(LockWorld.settings(), this.recorder);

	@Test
	void aRequestIsFollowedFromTheQuestionToTheRelease() {
		Lease lease = this.redlock.attemptAndWait(STOCK).orThrow();
		lease.close();
		lease.close();
		assertThat(this.recorder.told).containsExactly("tests asks for [stock]", "a Granted", "b Granted", "c Granted",
				"acquired", "RELEASED");
	}

	@Test
	void aRefusedRequestEndsWithItsReason() {
		this.world.acquire("stock");
		completed(this.redlock.attempt(STOCK));
		assertThat(this.recorder.told).containsExactly("tests asks for [stock]", "a Refused", "b Refused", "c Refused",
				"HELD");
	}

	@Test
	void aNodeWithoutAnAnswerIsToldWithTheTimeItWasGiven() {
		this.world.nodes.get(2).freeze();
		this.redlock.attemptAndWait(STOCK).orThrow();
		assertThat(this.recorder.told).doesNotContain("c Faulted");
		this.world.time.advance(Duration.ofMillis(500));
		assertThat(this.recorder.told).contains("c Faulted");
		assertThat(this.recorder.times).containsExactly(Duration.ZERO, Duration.ZERO, Duration.ofMillis(500));
	}

	@Test
	void aLossEndsTheHoldOnceAlsoIfTheLeaseIsReleasedLater() {
		Lease lease = this.redlock.attemptAndWait(STOCK).orThrow();
		this.world.time.advance(Duration.ofSeconds(11));
		lease.close();
		assertThat(this.recorder.told).endsWith("acquired", "lost EXPIRED", "LOST");
	}

	@Test
	void eachRenewalIsTold() {
		this.redlock = listened(LockWorld.renewing(Duration.ofMinutes(10)), this.recorder);
		this.redlock.attemptAndWait(STOCK).orThrow();
		this.world.time.advance(Duration.ofSeconds(4));
		assertThat(this.recorder.told).endsWith("EXTENDED");
		this.world.nodes.forEach(InMemoryNode::down);
		this.world.time.advance(Duration.ofSeconds(4));
		assertThat(this.recorder.told).endsWith("UNKNOWN");
	}

	@Test
	void aLeaseThatIsClosedDuringItsRenewalIsNotLost() {
		this.redlock = listened(LockWorld.renewing(Duration.ofMinutes(10)), this.recorder);
		Lease lease = this.redlock.attemptAndWait(STOCK).orThrow();
		this.world.counted.forEach((node) -> node.beforeExtend = lease::close);
		this.world.time.advance(Duration.ofSeconds(4));
		assertThat(lease.isValid()).isFalse();
		assertThat(this.recorder.told).doesNotContain("LOST").endsWith("acquired", "RELEASED");
	}

	@Test
	void aLeaseThatIsLostDuringItsRenewalIsLostEvenIfItsHolderClosesIt() {
		this.redlock = listened(LockWorld.renewing(Duration.ofMinutes(10)), this.recorder);
		Lease lease = this.redlock.attemptAndWait(STOCK).orThrow();
		lease.lost().thenRun(lease::close);
		this.world.nodes.forEach(InMemoryNode::forget);
		this.world.time.advance(Duration.ofSeconds(4));
		assertThat(this.recorder.told).endsWith("acquired", "lost REFUSED", "LOST", "LOST");
	}

	@Test
	void aCancelledRequestHasEndedToo() {
		this.world.nodes.forEach(InMemoryNode::freeze);
		CompletableFuture<LockAttempt> attempt = this.redlock.attempt(STOCK).toCompletableFuture();
		attempt.cancel(false);
		assertThat(this.recorder.told).containsExactly("tests asks for [stock]", "INTERRUPTED");
	}

	@Test
	void aRequestThatMakesNoSenseIsNotFollowed() {
		Duration tooLong = Duration.ofHours(1);
		assertThatIllegalArgumentException().isThrownBy(() -> this.redlock.attemptAndWait(STOCK.withTtl(tooLong)));
		assertThat(this.recorder.told).isEmpty();
	}

	@Test
	void aRequestThatCannotConnectIsNotFollowed() {
		this.redlock = this.world.process(
				this.world.over(this.world.nodes, LockWorld.settings(), 2).listener(this.recorder).connections(() -> {
					throw new IllegalStateException("the event loop has ended");
				}, () -> {
				}));
		assertThatIllegalStateException().isThrownBy(() -> this.redlock.attemptAndWait(STOCK));
		assertThatIllegalStateException().isThrownBy(() -> this.redlock.attempt(STOCK));
		assertThat(this.recorder.told).isEmpty();
	}

	@Test
	void aHoldThatEndsBeforeItsBeginIsToldEndsBehindIt() {
		Recorder shutsDown = new Recorder() {
			@Override
			public void ended(LockAttempt attempt) {
				RequestListenerTests.this.redlock.close();
				super.ended(attempt);
			}
		};
		this.redlock = listened(LockWorld.settings(), shutsDown);
		assertThat(this.redlock.attemptAndWait(STOCK).orThrow().isValid()).isFalse();
		assertThat(shutsDown.told).endsWith("lost SHUT_DOWN", "acquired", "LOST");
	}

	private Redlock listened(RedlockSettings settings, RedlockListener listener) {
		return this.world.another(settings, 2, listener);
	}

	private static class Recorder extends AllHooks {

		final List<String> told = new ArrayList<>();

		final List<Duration> times = new ArrayList<>();

		@Override
		protected void told(String hook, String what) {
			this.told.add(what);
		}

		@Override
		public void voted(String node, Vote vote, Duration took) {
			super.voted(node, vote, took);
			this.times.add(took);
		}

	}

}

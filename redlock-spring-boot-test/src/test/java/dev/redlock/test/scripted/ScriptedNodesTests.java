package dev.redlock.test.scripted;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spring.template.RedLockOperations;
import org.junit.jupiter.api.Test;

import static dev.redlock.test.assertj.LockAssertions.assertThatLock;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ScriptedNodesTests {

	private static final LockRequest NOW = LockRequest.of("stock:42").withWaitFor(Duration.ZERO);

	private final ScriptedNodes nodes = ScriptedNodes.of(3);

	private final Redlock redlock = this.nodes.redlock();

	// region: testing-scripted
	@Test
	void anOrderIsRefusedWithoutAMajority() {
		ScriptedNodes nodes = ScriptedNodes.of(3);
		Orders orders = new Orders(nodes.template());
		nodes.get("a").down();
		assertThat(orders.place("book")).isEqualTo("placed book");
		nodes.get("b").fault(Fault.MISCONFIGURED);
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> orders.place("book"));
	}
	// endregion

	@Test
	void aLeaseEndsWithItsTtl() {
		ScriptedNodes nodes = ScriptedNodes.of(3);
		Lease lease = nodes.template().acquire(LockRequest.of("orders:book").withTtl(Duration.ofSeconds(10)));
		nodes.time().advance(Duration.ofSeconds(9));
		assertThat(lease.isValid()).isTrue();
		nodes.time().advance(Duration.ofSeconds(1));
		assertThat(lease.isValid()).isFalse();
	}

	@Test
	void aMajorityThatRefusesIsSomebodyWhoHoldsTheLock() {
		this.nodes.get("a").refuse();
		this.nodes.get("b").refuse();
		assertThat(this.redlock.attemptAndWait(NOW).failure()).hasValueSatisfying((failure) -> {
			assertThat(failure.reason()).isEqualTo(Reason.HELD);
			assertThat(failure).hasMessageContaining("somebody else");
		});
		this.nodes.heal();
		assertThat(this.redlock.attemptAndWait(NOW).lease()).isPresent();
	}

	@Test
	void aLateAnswerIsTakenAsLongAsItComesInTime() {
		this.nodes.get("a").delay(Duration.ofMillis(300));
		this.nodes.get("b").delay(Duration.ofMillis(600));
		CompletableFuture<LockAttempt> attempt = this.redlock.attempt(NOW).toCompletableFuture();
		assertThat(attempt).isNotDone();
		this.nodes.time().advance(Duration.ofMillis(300));
		assertThat(attempt).isCompletedWithValueMatching((made) -> made.lease().isPresent());
	}

	@Test
	void answersThatComeTooLateAreFaults() {
		this.nodes.asList().forEach((node) -> node.delay(Duration.ofSeconds(5)));
		CompletableFuture<LockAttempt> attempt = this.redlock.attempt(NOW).toCompletableFuture();
		this.nodes.time().advance(Duration.ofSeconds(2));
		assertThat(attempt).isCompletedWithValueMatching((made) -> made.failure().isPresent());
	}

	@Test
	void whatAMajorityLostSomebodyElseGets() {
		Redlock other = this.nodes.anotherRedlock(RedlockSettings.DEFAULTS);
		this.redlock.attemptAndWait(NOW).orThrow();
		assertThat(other.attemptAndWait(NOW).lease()).isEmpty();
		this.nodes.get("a").lose();
		this.nodes.get("b").lose();
		assertThat(other.attemptAndWait(NOW).lease()).isPresent();
	}

	@Test
	void aClockThatStepsForwardForgetsALock() {
		this.redlock.attemptAndWait(NOW).orThrow();
		this.nodes.get("c").stepClock(Duration.ofMinutes(1));
		assertThatLock(this.redlock, "stock:42").isHeldOnNodes(2);
	}

	@Test
	void aFrozenNodeWorksOffWhatItWasAsked() {
		this.nodes.get("c").freeze();
		this.redlock.attemptAndWait(NOW).orThrow();
		assertThat(this.nodes.get("c").tokens()).isEmpty();
		this.nodes.get("c").up();
		assertThat(this.nodes.get("c").tokens()).containsKey("redlock:stock:42");
	}

	@Test
	void aMuteNodeDoesWhatItIsAsked() {
		this.nodes.get("c").mute();
		this.redlock.attemptAndWait(NOW).orThrow();
		assertThat(this.nodes.get("c").tokens()).containsKey("redlock:stock:42");
	}

	@Test
	void aNodeWithAFaultDoesNotVoteAndSaysWhy() {
		ScriptedNode node = this.nodes.get("a");
		assertThat(node.status().state()).isEqualTo(State.READY);
		node.fault(Fault.STALE);
		assertThat(node.status().state()).isEqualTo(State.UNAVAILABLE);
		assertThat(node.status().reason()).contains("STALE");
		assertThat(node).hasToString("ScriptedNode[a, STALE]");
		node.up();
		assertThat(node).hasToString("ScriptedNode[a]");
	}

	@Test
	void inRealTimeALockIsWaitedFor() {
		try (ScriptedNodes real = ScriptedNodes.inRealTime(3)) {
			Redlock other = real.anotherRedlock(RedlockSettings.DEFAULTS);
			Lease held = other.attemptAndWait(NOW).orThrow();
			CompletableFuture<LockAttempt> waiting = real.redlock()
				.attempt(LockRequest.of("stock:42"))
				.toCompletableFuture();
			assertThat(waiting).isNotDone();
			held.close();
			waiting.join().orThrow().close();
			assertThatIllegalStateException().isThrownBy(real::time).withMessageContaining("ScriptedNodes.of(count)");
		}
	}

	@Test
	void mistakesAreNamed() {
		assertThatIllegalArgumentException().isThrownBy(() -> ScriptedNodes.of(0)).withMessageContaining("1 to 26");
		assertThatIllegalArgumentException().isThrownBy(() -> this.nodes.get("z")).withMessageContaining("z");
		assertThatIllegalArgumentException().isThrownBy(() -> this.nodes.get(0).delay(Duration.ofMillis(-1)));
	}

	/** What is tested: it asks for the interface, so that a test may choose the locks. */
	static final class Orders {

		private final RedLockOperations locks;

		Orders(RedLockOperations locks) {
			this.locks = locks;
		}

		String place(String article) {
			LockRequest request = LockRequest.of("orders:" + article).withWaitFor(Duration.ZERO);
			return this.locks.execute(request, (lease) -> "placed " + article);
		}

	}

}

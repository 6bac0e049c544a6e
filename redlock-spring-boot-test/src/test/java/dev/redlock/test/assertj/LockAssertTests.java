package dev.redlock.test.assertj;

import java.time.Duration;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.test.scripted.ScriptedNodes;
import org.junit.jupiter.api.Test;

import static dev.redlock.test.assertj.LockAssertions.assertThatLock;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LockAssertTests {

	private final ScriptedNodes nodes = ScriptedNodes.of(3);

	private final Redlock redlock = this.nodes.redlock();

	@Test
	void aLeaseIsHeldUntilItIsReleased() {
		assertThatLock(this.redlock, "stock:42").isFree().isHeldOnNodes(0);
		try (Lease lease = this.redlock.attemptAndWait(LockRequest.of("stock:42")).orThrow()) {
			assertThatLock(this.redlock, "stock:42").isHeld()
				.isHeldOnNodes(3)
				.isHeldForAtMost(lease.remaining().plusSeconds(1));
			assertThatLock(this.redlock, "stock:43").isFree();
		}
		assertThatLock(this.redlock, "stock:42").isFree();
	}

	@Test
	void theOwnerIsTheLabelOfItsSettings() {
		Redlock shop = this.nodes.anotherRedlock("shop@host");
		shop.attemptAndWait(LockRequest.of("stock:42")).orThrow();
		assertThatLock(this.redlock, "stock:42").isHeldBy("shop@host");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThatLock(this.redlock, "stock:42").isHeldBy("other@host"))
			.withMessageContaining("other@host")
			.withMessageContaining("but it is held by")
			.withMessageContaining("shop@host");
	}

	@Test
	void aFailureSaysWhatEachNodeSaid() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThatLock(this.redlock, "stock:42").isHeld())
			.withMessageContaining("the lock on stock:42 to be HELD but the majority says FREE")
			.withMessageContaining("a: ")
			.withMessageContaining("c: ");
		this.nodes.get("a").down();
		this.nodes.get("b").down();
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThatLock(this.redlock, "stock:42").isFree())
			.withMessageContaining("UNKNOWN")
			.withMessageContaining("UNAVAILABLE");
	}

	@Test
	void numberAndTimeAreCompared() {
		this.redlock.attemptAndWait(LockRequest.of("stock:42")).orThrow();
		this.nodes.get("b").lose();
		assertThatLock(this.redlock, "stock:42").isHeld().isHeldOnNodes(2);
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThatLock(this.redlock, "stock:42").isHeldOnNodes(3))
			.withMessageContaining("on 3 nodes but it is held on 2");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThatLock(this.redlock, "stock:42").isHeldForAtMost(Duration.ofSeconds(1)))
			.withMessageContaining("for at most PT1S");
	}

	@Test
	void aNameWhosePermitsAreHeldIsNotCalledFree() {
		try (Lease lease = this.redlock.attemptAndWait(LockRequest.of("ocr").withPermits(1)).orThrow()) {
			assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> assertThatLock(this.redlock, "ocr").isFree())
				.withMessageContaining("ocr has permits")
				.withMessageContaining("such as ocr#1");
			assertThatLock(this.redlock, "ocr#1").isHeldForAtMost(lease.remaining().plusSeconds(1));
		}
		assertThatLock(this.redlock, "ocr").isFree();
	}

}

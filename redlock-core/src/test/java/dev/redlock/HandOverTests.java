package dev.redlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class HandOverTests {

	private final RedlockFixture fixture = new RedlockFixture(5);

	private final Redlock other = this.fixture.another(RedlockFixture.settings(), 2);

	@Test
	void anotherProcessGoesOnWithTheSameFenceAndTheFirstCanNoMore() {
		Lease first = this.fixture.acquire("stock");
		String ticket = first.handOver();
		assertThat(first.isValid()).isFalse();
		assertThat(first.extend(Duration.ofSeconds(10))).isFalse();
		Lease second = takeUp(ticket).join().orThrow();
		assertThat(second.fence()).isEqualTo(first.fence());
		assertThat(second.isValid()).isTrue();
		first.close();
		assertThat(this.fixture.heldOn("stock")).isEqualTo(5);
		assertThat(second.extend(Duration.ofSeconds(20))).isTrue();
		second.close();
		assertThat(this.fixture.heldOn("stock")).isZero();
		assertThat(this.fixture.losses).isEmpty();
		assertThat(this.fixture.time.pending()).isZero();
	}

	@Test
	void aTicketIsGoodOnce() {
		String ticket = this.fixture.acquire("stock").handOver();
		Lease second = takeUp(ticket).join().orThrow();
		assertThat(takeUp(ticket).join().reason()).contains(Reason.HELD);
		assertThat(second.isValid()).isTrue();
		assertThat(this.fixture.heldOn("stock")).isEqualTo(5);
	}

	@Test
	void aTicketThatComesTooLateIsWorthNothing() {
		String ticket = this.fixture.acquire("stock").handOver();
		this.fixture.time.advance(Duration.ofSeconds(11));
		assertThat(takeUp(ticket).join().lease()).isEmpty();
		assertThat(this.fixture.heldOn("stock")).isZero();
	}

	@Test
	void aTakeUpNeedsAMajorityAndLeavesNothingWithoutOne() {
		String ticket = this.fixture.acquire("stock").handOver();
		for (int i = 0; i < 3; i++) {
			this.fixture.nodes.get(i).forget();
		}
		assertThat(takeUp(ticket).join().lease()).isEmpty();
		assertThat(this.fixture.heldOn("stock")).isZero();
	}

	@Test
	void closingTheFirstProcessDoesNotReleaseWhatItHandedOver() {
		String ticket = this.fixture.acquire("stock").handOver();
		this.fixture.redlock.close();
		assertThat(takeUp(ticket).join().lease()).isPresent();
	}

	@Test
	void aClosedLockTakesNothingUp() {
		String ticket = this.fixture.acquire("stock").handOver();
		this.other.close();
		assertThat(takeUp(ticket).join().reason()).contains(Reason.SHUTTING_DOWN);
		assertThat(this.fixture.heldOn("stock")).isEqualTo(5);
	}

	@Test
	void aLostLeaseCannotBeHandedOver() {
		Lease lease = this.fixture.acquire("stock");
		this.fixture.time.advance(Duration.ofSeconds(10));
		assertThatIllegalStateException().isThrownBy(lease::handOver).withMessageContaining("Acquire the lock again");
	}

	@Test
	void whatIsNotATicketIsRefusedWithoutRepeatingIt() {
		for (String text : new String[] { "", "secret-thing", "redlock1.a.b.c", "redlock1.!.!.!.1",
				"redlock1.YQ.YQ.YQ.x" }) {
			assertThatIllegalArgumentException().isThrownBy(() -> this.other.takeUp(text))
				.withMessageContaining("handOver")
				.withMessageNotContaining("secret-thing");
		}
	}

	@Test
	void aTicketDoesNotShowTheToken() {
		Lease lease = this.fixture.acquire("stock");
		assertThat(lease.handOver()).doesNotContain(lease.token());
	}

	@Test
	void inspectTellsWhatEachNodeSaysAndWhatTheMajoritySays() {
		assertThat(inspect().verdict()).isEqualTo(Inspection.Verdict.FREE);
		this.fixture.acquire("stock");
		this.fixture.nodes.get(0).down();
		this.fixture.nodes.get(1).forget();
		Inspection held = inspect();
		assertThat(held.verdict()).isEqualTo(Inspection.Verdict.HELD);
		assertThat(held.holder()).contains("tests");
		assertThat(held.remaining()).contains(Duration.ofSeconds(10));
		assertThat(held.faulted()).isEqualTo(1);
		assertThat(held.nodes()).hasSize(5);
		this.fixture.nodes.forEach(InMemoryNode::down);
		assertThat(inspect().verdict()).isEqualTo(Inspection.Verdict.UNKNOWN);
	}

	private Inspection inspect() {
		return this.other.inspect("stock").toCompletableFuture().join();
	}

	private CompletableFuture<LockAttempt> takeUp(String ticket) {
		return this.other.takeUp(ticket).toCompletableFuture();
	}

}

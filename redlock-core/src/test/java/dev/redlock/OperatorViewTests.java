package dev.redlock;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.Inspection.Verdict;
import dev.redlock.internal.Internals;
import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.Test;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OperatorViewTests {

	private final RedlockFixture fixture = new RedlockFixture(5);

	@Test
	void theMarginIsHowManyMoreNodesMayFail() {
		assertThat(this.fixture.redlock.quorum()).isEqualTo(new QuorumStatus(5, 5, 3));
		assertThat(this.fixture.redlock.quorum().margin()).isEqualTo(2);
		assertThat(this.fixture.redlock.quorum().isDegraded()).isFalse();
		this.fixture.nodes.subList(0, 2).forEach(InMemoryNode::down);
		assertThat(this.fixture.redlock.quorum().margin()).isZero();
		assertThat(this.fixture.redlock.quorum().isReached()).isTrue();
		assertThat(this.fixture.redlock.quorum().isDegraded()).isTrue();
		this.fixture.nodes.get(2).down();
		assertThat(this.fixture.redlock.quorum().margin()).isEqualTo(-1);
		assertThat(this.fixture.redlock.quorum().isReached()).isFalse();
	}

	@Test
	void aLeaseOnSomeOfTheNodesIsHeldForWhoAsksTheSame() {
		LockRequest some = LockRequest.of("stock").withInstances("a", "b");
		Lease lease = this.fixture.acquire(some);
		Redlock other = this.fixture.another(RedlockFixture.settings(), 2);
		assertThat(inspected(this.fixture.redlock.inspect("stock"))).as("by its holder").isEqualTo(Verdict.HELD);
		assertThat(inspected(other.inspect(some))).isEqualTo(Verdict.HELD);
		assertThat(inspected(other.inspect("stock"))).as("no majority of all").isEqualTo(Verdict.FREE);
		lease.close();
		assertThat(inspected(other.inspect(some))).isEqualTo(Verdict.FREE);
		assertThatIllegalArgumentException().isThrownBy(() -> other.inspect(LockRequest.of("a", "b")))
			.withMessageContaining("one resource at a time");
	}

	private static Verdict inspected(CompletionStage<Inspection> inspection) {
		return completed(inspection).verdict();
	}

	@Test
	void inspectTellsWhatEachNodeSaysAndWhatTheMajoritySays() {
		Redlock other = this.fixture.another(RedlockFixture.settings(), 2);
		assertThat(inspected(other.inspect("stock"))).isEqualTo(Verdict.FREE);
		this.fixture.acquire("stock");
		this.fixture.nodes.get(0).down();
		this.fixture.nodes.get(1).forget();
		Inspection held = completed(other.inspect("stock"));
		assertThat(held.verdict()).isEqualTo(Verdict.HELD);
		assertThat(held.holder()).contains("tests");
		assertThat(held.remaining()).contains(Duration.ofSeconds(10));
		assertThat(held.faulted()).isEqualTo(1);
		assertThat(held.nodes()).hasSize(5);
		this.fixture.nodes.forEach(InMemoryNode::down);
		assertThat(inspected(other.inspect("stock"))).isEqualTo(Verdict.UNKNOWN);
	}

	@Test
	void anOwnerWithoutALabelIsNoHolder() {
		Redlock unlabelled = this.fixture.another(RedlockFixture.settings().toBuilder().owner("").build(), 2);
		unlabelled.attempt(LockRequest.of("stock"));
		Inspection held = this.fixture.redlock.inspect("stock").toCompletableFuture().join();
		assertThat(held.verdict()).isEqualTo(Verdict.HELD);
		assertThat(held.holder()).isEmpty();
	}

	@Test
	void heldLeasesAreListedUntilTheyEnd() {
		Lease two = this.fixture.acquire(LockRequest.of("b", "c").withOrigin("Job.run"));
		this.fixture.time.advance(Duration.ofSeconds(1));
		Lease one = this.fixture.acquire("a");
		assertThat(this.fixture.redlock.leases()).containsExactly(
				new LeaseSnapshot(one.resources(), one.fence(), Duration.ZERO, one.remaining(), null),
				new LeaseSnapshot(two.resources(), two.fence(), Duration.ofSeconds(1), two.remaining(), "Job.run"));
		assertThat(this.fixture.redlock.leases().toString()).doesNotContain(Internals.token(one))
			.doesNotContain(Internals.token(two));
		two.close();
		assertThat(this.fixture.redlock.leases()).hasSize(1);
		this.fixture.time.advance(Duration.ofSeconds(10));
		assertThat(this.fixture.redlock.leases()).isEmpty();
	}

	@Test
	void aLeaseWithoutAFenceIsListedToo() {
		Redlock unfenced = this.fixture.another(RedlockFixture.settings().toBuilder().fencing(false).build(), 2);
		unfenced.attempt(LockRequest.of("stock"));
		assertThat(unfenced.leases()).singleElement().satisfies((lease) -> assertThat(lease.fence()).isZero());
	}

	@Test
	void requestsThatWaitAreCountedByResource() {
		this.fixture.acquire("stock");
		CompletableFuture<LockAttempt> first = this.fixture.attempt(LockRequest.of("stock"));
		this.fixture.attempt(LockRequest.of("stock", "till"));
		assertThat(this.fixture.redlock.waiters()).isEqualTo(Map.of("stock", 2, "till", 1));
		first.cancel(false);
		assertThat(this.fixture.redlock.waiters()).isEqualTo(Map.of("stock", 1, "till", 1));
		this.fixture.time.advance(Duration.ofSeconds(6));
		assertThat(this.fixture.redlock.waiters()).isEmpty();
	}

	@Test
	void aRevokedLeaseIsLostForItsHolderAndGoneOnTheNodes() {
		Lease lease = this.fixture.acquire(LockRequest.of("stock", "till").withAtLeast(Duration.ofSeconds(5)));
		assertThat(this.fixture.redlock.revoke("till"))
			.hasValueSatisfying((release) -> assertThat(completed(release).confirmed()).isTrue());
		assertThat(lease.isValid()).isFalse();
		assertThat(this.fixture.losses).containsExactly("[stock, till] REVOKED");
		assertThat(this.fixture.heldOn("stock")).isZero();
		assertThat(this.fixture.redlock.revoke("till")).isEmpty();
	}

	@Test
	void onlyALeaseOfThisProcessIsRevoked() {
		Redlock other = this.fixture.another(RedlockFixture.settings(), 2);
		Lease lease = this.fixture.acquire("stock");
		assertThat(other.revoke("stock")).isEmpty();
		assertThat(lease.isValid()).isTrue();
	}

}

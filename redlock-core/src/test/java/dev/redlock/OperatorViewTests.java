package dev.redlock;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.Inspection.Verdict;
import dev.redlock.internal.client.Internals;
import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OperatorViewTests {

	@RegisterExtension
	final LockWorld world = new LockWorld(5);

	@Test
	void theMarginIsHowManyMoreNodesMayFail() {
		assertThat(this.world.redlock.quorum()).isEqualTo(new QuorumStatus(5, 5, 3));
		assertThat(this.world.redlock.quorum().margin()).isEqualTo(2);
		assertThat(this.world.redlock.quorum().isDegraded()).isFalse();
		this.world.nodes.subList(0, 2).forEach(InMemoryNode::down);
		assertThat(this.world.redlock.quorum().margin()).isZero();
		assertThat(this.world.redlock.quorum().isReached()).isTrue();
		assertThat(this.world.redlock.quorum().isDegraded()).isTrue();
		this.world.nodes.get(2).down();
		assertThat(this.world.redlock.quorum().margin()).isEqualTo(-1);
		assertThat(this.world.redlock.quorum().isReached()).isFalse();
	}

	@Test
	void aLeaseOnSomeOfTheNodesIsHeldForWhoAsksTheSame() {
		LockRequest some = LockRequest.of("stock").withInstances("a", "b");
		Lease lease = this.world.acquire(some);
		Redlock other = this.world.another(LockWorld.settings(), 2);
		assertThat(inspected(this.world.redlock.inspect("stock"))).as("by its holder").isEqualTo(Verdict.HELD);
		assertThat(inspected(other.inspect(some))).isEqualTo(Verdict.HELD);
		assertThat(inspected(other.inspect("stock"))).as("no majority of all").isEqualTo(Verdict.FREE);
		lease.close();
		assertThat(inspected(other.inspect(some))).isEqualTo(Verdict.FREE);
		assertThatIllegalArgumentException().isThrownBy(() -> other.inspect(LockRequest.of("a", "b")))
			.withMessageContaining("only one resource");
	}

	private static Verdict inspected(CompletionStage<Inspection> inspection) {
		return completed(inspection).verdict();
	}

	@Test
	void inspectTellsWhatEachNodeSaysAndWhatTheMajoritySays() {
		Redlock other = this.world.another(LockWorld.settings(), 2);
		assertThat(inspected(other.inspect("stock"))).isEqualTo(Verdict.FREE);
		this.world.acquire("stock");
		this.world.nodes.get(0).down();
		this.world.nodes.get(1).forget();
		Inspection held = completed(other.inspect("stock"));
		assertThat(held.verdict()).isEqualTo(Verdict.HELD);
		assertThat(held.holder()).contains("tests");
		assertThat(held.remaining()).contains(Duration.ofSeconds(10));
		assertThat(held.faulted()).isEqualTo(1);
		assertThat(held.nodes()).hasSize(5);
		this.world.nodes.forEach(InMemoryNode::down);
		assertThat(inspected(other.inspect("stock"))).isEqualTo(Verdict.UNKNOWN);
	}

	@Test
	void anOwnerWithoutALabelIsNoHolder() {
		Redlock unlabelled = this.world.another(LockWorld.settings().toBuilder().owner("").build(), 2);
		unlabelled.attempt(LockRequest.of("stock"));
		Inspection held = completed(this.world.redlock.inspect("stock"));
		assertThat(held.verdict()).isEqualTo(Verdict.HELD);
		assertThat(held.holder()).isEmpty();
	}

	@Test
	void heldLeasesAreListedUntilTheyEnd() {
		Lease two = this.world.acquire(LockRequest.of("b", "c").withOrigin("Job.run"));
		this.world.time.advance(Duration.ofSeconds(1));
		Lease one = this.world.acquire("a");
		assertThat(this.world.redlock.leases()).containsExactly(
				new LeaseSnapshot(one.resources(), one.fence(), Duration.ZERO, one.remaining(), null, null),
				new LeaseSnapshot(two.resources(), two.fence(), Duration.ofSeconds(1), two.remaining(), "Job.run",
						null));
		assertThat(this.world.redlock.leases().toString()).doesNotContain(Internals.token(one))
			.doesNotContain(Internals.token(two));
		two.close();
		assertThat(this.world.redlock.leases()).hasSize(1);
		this.world.time.advance(Duration.ofSeconds(10));
		assertThat(this.world.redlock.leases()).isEmpty();
	}

	@Test
	void aLeaseWithoutAFenceIsListedToo() {
		Redlock unfenced = this.world.another(LockWorld.settings().toBuilder().fencing(false).build(), 2);
		unfenced.attempt(LockRequest.of("stock"));
		assertThat(unfenced.leases()).singleElement().satisfies((lease) -> assertThat(lease.fence()).isZero());
	}

	@Test
	void requestsThatWaitAreCountedByResource() {
		this.world.acquire("stock");
		CompletableFuture<LockAttempt> first = this.world.attempt(LockRequest.of("stock"));
		this.world.attempt(LockRequest.of("stock", "till"));
		assertThat(this.world.redlock.waiters()).isEqualTo(Map.of("stock", 2, "till", 1));
		first.cancel(false);
		assertThat(this.world.redlock.waiters()).isEqualTo(Map.of("stock", 1, "till", 1));
		this.world.time.advance(Duration.ofSeconds(6));
		assertThat(this.world.redlock.waiters()).isEmpty();
	}

	@Test
	void aRevokedLeaseIsLostForItsHolderAndGoneOnTheNodes() {
		Lease lease = this.world.acquire(LockRequest.of("stock", "till").withAtLeast(Duration.ofSeconds(5)));
		assertThat(this.world.redlock.revoke("till"))
			.hasValueSatisfying((release) -> assertThat(completed(release).confirmed()).isTrue());
		assertThat(lease.isValid()).isFalse();
		assertThat(this.world.losses).containsExactly("[stock, till] REVOKED");
		assertThat(this.world.heldOn("stock")).isZero();
		assertThat(this.world.redlock.revoke("till")).isEmpty();
	}

	@Test
	void onlyALeaseOfThisProcessIsRevoked() {
		Redlock other = this.world.another(LockWorld.settings(), 2);
		Lease lease = this.world.acquire("stock");
		assertThat(other.revoke("stock")).isEmpty();
		assertThat(lease.isValid()).isTrue();
	}

}

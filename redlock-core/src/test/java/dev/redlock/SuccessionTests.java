package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockWorld.Answers;
import dev.redlock.internal.client.Engine;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Claim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * A lease that one process detaches and another carries on.
 */
@ParameterizedClass
@EnumSource
class SuccessionTests {

	private static final Duration TTL = Duration.ofSeconds(10);

	@RegisterExtension
	final LockWorld world;

	SuccessionTests(Answers answers) {
		this.world = new LockWorld(5, answers);
	}

	@Test
	void anotherProcessCarriesTheLeaseOnWithAHigherFence() {
		Lease first = this.world.acquire(LockRequest.of("stock", "orders"));
		long fence = first.fence();
		String ticket = first.detach();
		Lease second = succeed(ticket).orThrow();
		assertThat(second.resources()).containsExactly("orders", "stock");
		assertThat(second.fence()).isGreaterThan(fence);
		assertThat(second.isValid()).isTrue();
		first.close();
		assertThat(this.world.heldOn("stock")).isEqualTo(5);
		assertThat(this.world.extend(second, TTL)).isTrue();
		assertThat(this.world.answered(this.world.handedOut(second.releaseAsync())).confirmed()).isTrue();
		assertThat(this.world.isHeld("stock")).isFalse();
	}

	@Test
	void theProcessThatDetachedItMayCarryItOnItself() {
		String ticket = this.world.acquire("stock").detach();
		this.world.acquire(this.world.redlock, LockRequest.succeeding(ticket)).close();
		assertThat(this.world.isHeld("stock")).isFalse();
	}

	@Test
	void nobodyElseGetsTheLockUntilTheTicketHasExpired() {
		String ticket = this.world.acquire(LockRequest.of("stock").withRenew(true)).detach();
		this.world.time.advance(TTL.dividedBy(2));
		assertThat(reason(this.world.other, this.world.now("stock"))).isEqualTo(Reason.HELD);
		assertThat(reason(this.world.redlock, this.world.now("stock"))).as("nor this process").isEqualTo(Reason.HELD);
		this.world.time.advance(TTL.dividedBy(2));
		assertThat(this.world.isHeld("stock")).as("nothing extends it").isFalse();
		assertThat(succeed(ticket).reason()).hasValue(Reason.TICKET_EXPIRED);
		this.world.hold("stock").close();
	}

	@Test
	void aTicketWorksOnce() {
		String ticket = this.world.acquire("stock").detach();
		Lease second = succeed(ticket).orThrow();
		assertThat(reason(this.world.redlock, LockRequest.succeeding(ticket))).isEqualTo(Reason.HELD);
		second.close();
		this.world.answers();
		assertThat(reason(this.world.redlock, LockRequest.succeeding(ticket))).isEqualTo(Reason.TICKET_EXPIRED);
	}

	@Test
	void aChainOfTicketsRises() {
		Lease lease = this.world.acquire("stock");
		for (int i = 0; i < 3; i++) {
			long former = lease.fence();
			lease = this.world.acquire((i % 2 == 0) ? this.world.other : this.world.redlock,
					LockRequest.succeeding(lease.detach()));
			assertThat(lease.fence()).isGreaterThan(former);
		}
	}

	@Test
	void aDetachedLeaseIsNoLoss() {
		List<String> heard = new ArrayList<>();
		Redlock process = this.world.listened(new RedlockListener() {
			@Override
			public void leaseLost(Lease lease, LossReason reason) {
				heard.add("lost");
			}

			@Override
			public RequestListener requested(LockRequest request) {
				return new RequestListener() {
					@Override
					public void renewed(Lease lease, RenewalOutcome outcome) {
						heard.add("renewed " + outcome);
					}

					@Override
					public void holdEnded(Lease lease, HoldEnd end) {
						heard.add("ended " + end);
					}
				};
			}
		});
		Lease lease = this.world.acquire(process, LockRequest.of("stock").withTtl(TTL).withRenew(true));
		CompletableFuture<LossReason> lost = lease.lost().toCompletableFuture();
		this.world.nodes.forEach(InMemoryNode::freeze);
		this.world.time.advance(TTL.dividedBy(3));
		lease.detach();
		this.world.nodes.forEach(InMemoryNode::up);
		lease.close();
		lease.releaseAsync();
		assertThat(process.leases()).isEmpty();
		assertThat(lease.isValid()).isFalse();
		assertThat(lease.remaining()).isZero();
		assertThat(this.world.extend(lease, TTL)).isFalse();
		assertThatIllegalStateException().isThrownBy(lease::fence).withMessageContaining("was detached");
		this.world.time.advance(TTL.multipliedBy(2));
		assertThat(lost).isNotDone();
		assertThat(heard).containsExactly("ended RELEASED");
	}

	@Test
	void theNodesKeepADetachedLeaseForTheTtlThatWasAskedFor() {
		Lease lease = this.world.acquire("stock");
		assertThat(this.world.extend(lease, TTL.multipliedBy(3))).isTrue();
		String ticket = lease.detach();
		this.world.time.advance(TTL.multipliedBy(2));
		assertThat(succeed(ticket).lease()).isPresent();
	}

	@Test
	void aRequestOfThisProcessThatWaitsGetsTheLockFromTheSuccessor() {
		Lease first = this.world.acquire("stock");
		CompletableFuture<LockAttempt> waiting = this.world
			.attempt(LockRequest.of("stock").withWaitFor(TTL.multipliedBy(2)));
		Lease second = this.world.acquire(this.world.redlock, LockRequest.succeeding(first.detach()));
		this.world.time.advance(TTL.dividedBy(2));
		assertThat(waiting).isNotDone();
		second.close();
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(waiting).isCompletedWithValueMatching((attempt) -> attempt.lease().isPresent());
	}

	@Test
	void withoutAQuorumTheTicketStaysGood() {
		String ticket = this.world.acquire("stock").detach();
		this.world.loseQuorum();
		assertThat(succeed(ticket).reason()).hasValue(Reason.NO_QUORUM);
		this.world.nodes.forEach(InMemoryNode::up);
		assertThat(succeed(ticket).lease()).as("three nodes were not asked, two have let go").isPresent();
	}

	@Test
	void aTakenLockIsToldFromAFreeOne() {
		String ticket = this.world.acquire("stock").detach();
		this.world.nodes.subList(0, 3).forEach(InMemoryNode::forget);
		this.world.held("token|somebody", 0, 1, 2);
		LockAttempt taken = succeed(ticket);
		assertThat(taken.reason()).hasValue(Reason.HELD);
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(taken::orThrow)
			.satisfies((failure) -> assertThat(failure.holder()).hasValue("somebody"));
	}

	@Test
	void aRivalOnAMinorityHasTakenTheLockIfTheTicketHasNoMajorityEither() {
		String ticket = this.world.acquire("stock").detach();
		this.world.nodes.subList(0, 3).forEach(InMemoryNode::forget);
		this.world.held("token|somebody", 0);
		assertThat(succeed(ticket).reason()).as("free on two, ours on two, theirs on one").hasValue(Reason.HELD);
	}

	@Test
	void afterASuccessionThePredecessorIsReleasedWhereItWasNotGranted() {
		Lease first = this.world.acquire(LockRequest.of("orders", "stock"));
		this.world.nodes.get(0).release(claim(first, "orders", 0), Duration.ZERO, false);
		this.world.nodes.get(0).acquire(new Claim(List.of("redlock:orders"), "rival", TTL), Claim.UNFENCED);
		this.world.nodes.get(1).down();
		Lease second = succeed(first.detach()).orThrow();
		this.world.answers();
		assertThat(this.world.nodes.get(0).tokens()).containsOnlyKeys("redlock:orders");
		assertThat(this.world.nodes.get(1).tokens()).containsOnlyKeys("redlock:orders", "redlock:stock");
		this.world.nodes.get(1).up();
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(this.world.nodes.get(1).tokens()).isEmpty();
		assertThat(second.isValid()).isTrue();
	}

	@Test
	void aSuccessionThatFailsReleasesOnlyItself() {
		String ticket = this.world.acquire("stock").detach();
		this.world.nodes.subList(2, 5).forEach(InMemoryNode::forget);
		assertThat(succeed(ticket).reason()).hasValue(Reason.TICKET_EXPIRED);
		this.world.answers();
		assertThat(this.world.nodes).allSatisfy((node) -> assertThat(node.tokens()).isEmpty());
		Lease again = this.world.acquire("stock");
		this.world.nodes.subList(0, 3).forEach(InMemoryNode::down);
		assertThat(succeed(again.detach()).reason()).hasValue(Reason.NO_QUORUM);
		this.world.nodes.forEach(InMemoryNode::up);
		assertThat(this.world.heldOn("stock")).as("the predecessor stays where it was not taken over").isEqualTo(3);
	}

	@Test
	void aSuccessionMakesOneTryEvenIfNoNodeKnowsItsClock() {
		LockWorld far = new LockWorld(3, LockWorld.settings());
		List<InMemoryNode> nodes = List.of(node("a"), node("b"), node("c"));
		Redlock first = far.process(far.over(nodes, LockWorld.settings(), 4));
		Lease lease = far.acquire(first, LockRequest.of("stock"));
		nodes.forEach((node) -> node.stepClock(Duration.ofSeconds(8)));
		String ticket = lease.detach();
		nodes.forEach((node) -> node.stepClock(Duration.ofSeconds(-1)));
		Redlock other = far.process(far.over(nodes, LockWorld.settings(), 5));
		LockAttempt attempt = far.answered(far.attempt(other, LockRequest.succeeding(ticket)));
		assertThat(attempt.tries()).isEqualTo(1);
		assertThat(attempt.reason()).hasValue(Reason.NO_QUORUM);
		assertThat(far.answered(far.attempt(other, LockRequest.succeeding(ticket))).lease())
			.as("the next request knows the clocks of the nodes")
			.isPresent();
	}

	@Test
	void detachIsRefusedWithItsReason() {
		refused(this.world.acquire(LockRequest.of("stock").withPermits(2)), "a permit has no fence");
		refused(this.world.acquire(LockRequest.of("job").withTick(tick())), "it belongs to one run of a job");
		refused(this.world.acquire(LockRequest.of("kept").withAtLeast(TTL)), "its atLeast ends in");
		Redlock unfenced = this.world.another(LockWorld.settings().toBuilder().fencing(false).build(), 7);
		refused(this.world.acquire(unfenced, this.world.now("plain")), "redlock.fencing.enabled=true");
		Lease closed = this.world.acquire("closed");
		closed.close();
		refused(closed, "released or detached before");
		Lease twice = this.world.acquire("twice");
		twice.detach();
		refused(twice, "released or detached before");
		Lease lapsed = this.world.acquire("lapsed");
		this.world.time.advance(TTL);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lapsed::detach).withMessageContaining("lapsed");
	}

	@Test
	void afterItsAtLeastALeaseIsDetached() {
		Lease lease = this.world.acquire(LockRequest.of("stock").withAtLeast(Duration.ofSeconds(2)));
		this.world.time.advance(Duration.ofSeconds(2));
		assertThat(succeed(lease.detach()).lease()).isPresent();
	}

	@Test
	void aDetachedLeaseIsTakenBack() {
		Lease lease = this.world.acquire("stock");
		String ticket = lease.detach();
		Engine.takeBack(lease);
		assertThat(this.world.isHeld("stock")).isFalse();
		assertThat(succeed(ticket).reason()).hasValue(Reason.TICKET_EXPIRED);
		Lease next = this.world.acquire("stock");
		Engine.takeBack(lease);
		assertThat(this.world.heldOn("stock")).isEqualTo(5);
		next.close();
	}

	@Test
	void aShutdownLeavesADetachedLeaseToItsTicket() {
		String ticket = this.world.acquire("stock").detach();
		this.world.redlock.close();
		assertThat(succeed(ticket).lease()).isPresent();
	}

	@Test
	void whatIsNoTicketIsRefusedWithoutItsText() {
		String ticket = this.world.acquire("stock").detach();
		for (String text : List.of("", "secret", "v1.secret", "v1.s€cret", ticket.substring(0, ticket.length() - 8),
				ticket + "AAAA", ticket.substring(3))) {
			assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.succeeding(text))
				.withMessageContaining("Lease.detach()")
				.withMessageNotContaining("secret")
				.withNoCause();
		}
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.succeeding("v2.secret"))
			.withMessageContaining("Update the library")
			.withMessageNotContaining("secret");
	}

	@Test
	void aTicketOfAnotherDeploymentIsRefused() {
		String ticket = this.world.acquire("stock").detach();
		Redlock foreign = this.world.another(LockWorld.settings().toBuilder().keyPrefix("shop:").build(), 8);
		assertThatIllegalArgumentException().isThrownBy(() -> foreign.attempt(LockRequest.succeeding(ticket)))
			.withMessageContaining("redlock.key-prefix")
			.withMessageNotContaining(ticket);
		Redlock fewer = this.world.process(this.world.over(this.world.nodes.subList(0, 3), LockWorld.settings(), 9));
		assertThatIllegalArgumentException().isThrownBy(() -> fewer.attempt(LockRequest.succeeding(ticket)))
			.withMessageContaining("no Redis instance [d, e]");
		Redlock unfenced = this.world.another(LockWorld.settings().toBuilder().fencing(false).build(), 7);
		assertThatIllegalArgumentException().isThrownBy(() -> unfenced.attempt(LockRequest.succeeding(ticket)))
			.withMessageContaining("redlock.fencing.enabled=true");
	}

	@Test
	void theInstancesComeFromTheTicket() {
		Lease lease = this.world.acquire(LockRequest.of("stock").withInstances("a", "b", "c"));
		LockRequest request = LockRequest.succeeding(lease.detach());
		assertThat(request.instances()).containsExactlyInAnyOrder("a", "b", "c");
		this.world.acquire(this.world.other, request).close();
	}

	@Test
	void whatComesFromTheTicketCannotBeChanged() {
		LockRequest request = LockRequest.succeeding(this.world.acquire("stock").detach());
		assertThatIllegalArgumentException().isThrownBy(() -> request.withResources(List.of("other")));
		assertThatIllegalArgumentException().isThrownBy(() -> request.withInstances("a"));
		assertThatIllegalArgumentException().isThrownBy(() -> request.withWaitFor(TTL));
		assertThatIllegalArgumentException().isThrownBy(() -> request.withPermits(2));
		assertThatIllegalArgumentException().isThrownBy(() -> request.withTick(tick()));
		this.world.acquire(this.world.other, request.withTtl(TTL.dividedBy(2)).withOrigin("worker")).close();
	}

	@Test
	void aTicketIsInNoText() {
		Lease lease = this.world.acquire("stock");
		String token = this.world.nodes.get(0).tokens().get("redlock:stock");
		String ticket = lease.detach();
		LockRequest request = LockRequest.succeeding(ticket);
		assertThat(ticket).doesNotContain(token);
		succeed(ticket).orThrow().close();
		this.world.answers();
		assertThat(List.of(lease.toString(), request.toString(), succeed(ticket).toString(),
				String.valueOf(new Claim.Predecessor(token, 1, true)),
				String.valueOf(new Claim(List.of("k"), "t", TTL).succeeding(new Claim.Predecessor(token, 1, true)))))
			.allSatisfy((text) -> assertThat(text).doesNotContain(ticket).doesNotContain(token.substring(0, 27)));
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> succeed(ticket).orThrow())
			.withMessageNotContaining(ticket)
			.withMessageNotContaining(token.substring(0, 27));
	}

	private LockAttempt succeed(String ticket) {
		return this.world.answered(this.world.attempt(this.world.other, LockRequest.succeeding(ticket)));
	}

	private Reason reason(Redlock process, LockRequest request) {
		return this.world.answered(this.world.attempt(process, request)).reason().orElse(null);
	}

	private InMemoryNode node(String name) {
		return new InMemoryNode(name, this.world.time, Duration.ofSeconds(5));
	}

	private Claim claim(Lease lease, String resource, int node) {
		String key = "redlock:" + resource;
		return new Claim(List.of(key), this.world.nodes.get(node).tokens().get(key), TTL);
	}

	private Tick tick() {
		return new Tick(this.world.time.epochMicros(), Duration.ofMinutes(1), Duration.ofSeconds(1), false);
	}

	private static void refused(Lease lease, String reason) {
		assertThatIllegalStateException().isThrownBy(lease::detach).withMessageContaining(reason);
	}

}

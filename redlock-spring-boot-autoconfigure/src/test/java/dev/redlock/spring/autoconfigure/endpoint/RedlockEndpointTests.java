package dev.redlock.spring.autoconfigure.endpoint;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

import dev.redlock.Inspection.Verdict;
import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.internal.client.Internals;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RedlockEndpointTests {

	private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");

	private final LockWorld world = new LockWorld();

	private final RedlockEndpoint endpoint = endpoint();

	@Test
	void itShowsNodesLeasesAndWaitersAndNoToken() {
		Lease lease = this.world.redlock.attemptAndWait(this.world.now("stock:42").withOrigin("Shop.buy")).orThrow();
		this.world.time.advance(Duration.ofSeconds(3));
		this.world.redlock.attempt(this.world.now("stock:42").withWaitFor(Duration.ofSeconds(5)));
		this.world.nodes.get(2).down();
		LockDescription description = this.endpoint.lock();
		assertThat(description.quorum()).isEqualTo(new LockDescription.Quorum(3, 2, 2, 0));
		assertThat(description.nodes()).extracting(LockDescription.Node::state)
			.containsExactly(State.READY, State.READY, State.UNAVAILABLE);
		assertThat(description.leases()).containsExactly(new LockDescription.Held(lease.resources(), null, "",
				"Shop.buy", NOW.minusSeconds(3), Duration.ofMillis(26_698), lease.fence()));
		assertThat(description.waiters()).isEqualTo(Map.of("stock:42", 1));
		assertThat(description.toString()).doesNotContain(Internals.token(lease));
	}

	@Test
	void aResourceIsShownAsEachNodeSeesItAndByMajority() {
		Lease lease = this.world.other.attemptAndWait(this.world.now("orders/7")).orThrow();
		this.world.nodes.get(0).forget();
		this.world.nodes.get(2).down();
		ResourceDescription one = this.endpoint.resource(null, null, "orders", "7");
		assertThat(one.resource()).isEqualTo("orders/7");
		assertThat(one.verdict()).isEqualTo(Verdict.UNKNOWN);
		assertThat(one.nodes()).extracting(ResourceDescription.View::says).containsExactly("FREE", "HELD", "FAULTED");
		this.world.nodes.get(2).up();
		assertThat(this.endpoint.resource(null, null, "orders", "7").verdict()).isEqualTo(Verdict.HELD);
		assertThat(this.endpoint.resource(null, null, "orders", "7").remaining()).isPositive();
		assertThat(this.endpoint.resource(null, null, "orders", "7").toString()).doesNotContain(Internals.token(lease));
		assertThat(this.endpoint.resource(null, null, "free").verdict()).isEqualTo(Verdict.FREE);
	}

	@Test
	void aLeaseOfThisInstanceIsReleased() {
		Lease lease = this.world.redlock.attemptAndWait(this.world.now("stock:42")).orThrow();
		WebEndpointResponse<RedlockEndpoint.Release> response = this.endpoint.release(null, "stock:42");
		assertThat(response.getStatus()).isEqualTo(200);
		assertThat(response.getBody()).isEqualTo(new RedlockEndpoint.Release("stock:42", true,
				"The lock was released on 3 of 3 nodes. The holder was told that the lock is lost."));
		assertThat(lease.isValid()).isFalse();
		assertThat(this.world.isHeld("stock:42")).isFalse();
	}

	@Test
	void aLeaseOfAnotherInstanceIsNotReleased() {
		this.world.other.attemptAndWait(this.world.now("stock:42")).orThrow();
		WebEndpointResponse<RedlockEndpoint.Release> response = this.endpoint.release(null, "stock:42");
		assertThat(response.getStatus()).isEqualTo(404);
		assertThat(response.getBody().message()).contains("This process holds no lease");
		assertThat(this.world.isHeld("stock:42")).isTrue();
	}

	@Test
	void aNameWhosePermitsAreAllHeldIsNotFree() {
		LockRequest permit = this.world.now("ocr").withPermits(2);
		this.world.other.attemptAndWait(permit).orThrow();
		this.world.other.attemptAndWait(permit).orThrow();
		assertThat(this.endpoint.resource(null, null, "ocr").verdict()).as("of others").isEqualTo(Verdict.HELD);
		this.world.redlock.attempt(permit.withWaitFor(Duration.ofSeconds(5)));
		ResourceDescription full = this.endpoint.resource(null, null, "ocr");
		assertThat(full.verdict()).isEqualTo(Verdict.HELD);
		assertThat(full.held()).isEqualTo(2);
		assertThat(full.waiters()).isOne();
		assertThat(full.permits()).extracting(ResourceDescription.Permit::resource).containsExactly("ocr#1", "ocr#2");
		assertThat(full.permits()).extracting(ResourceDescription.Permit::holder).containsOnly("(one of 2 permits)");
	}

	@Test
	void aPermitIsReleasedByTheNameOfItsSlot() {
		Lease lease = this.world.redlock.attemptAndWait(this.world.now("ocr").withPermits(1)).orThrow();
		WebEndpointResponse<RedlockEndpoint.Release> response = this.endpoint.release(null, "ocr#1");
		assertThat(response.getStatus()).isEqualTo(200);
		assertThat(response.getBody().released()).isTrue();
		assertThat(lease.isValid()).isFalse();
	}

	@Test
	void whereNotAllInstancesVoteTheyCanBeNamed() {
		this.world.other.attemptAndWait(this.world.now("stock:42").withInstances("a")).orThrow();
		assertThat(this.endpoint.resource(List.of("a"), null, "stock:42").verdict()).isEqualTo(Verdict.HELD);
		assertThat(this.endpoint.resource(List.of("b", "c"), null, "stock:42").verdict()).isEqualTo(Verdict.FREE);
		assertThatExceptionOfType(InvalidEndpointRequestException.class)
			.isThrownBy(() -> this.endpoint.resource(List.of("x"), null, "stock:42"))
			.withMessageContaining("The configured instances are");
	}

	@Test
	void aLockWithALongNameIsFoundUnderTheNameThatTheApplicationUses() {
		String name = "order/" + "x".repeat(2000);
		RedLockTemplate template = new RedLockTemplate(this.world.redlock, Runnable::run);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> template.execute(this.world.now(name), (lease) -> {
				this.world.redlock.attempt(this.world.now(name).withWaitFor(Duration.ofSeconds(5)));
				assertThat(this.endpoint.resource(null, null, name).verdict()).isEqualTo(Verdict.HELD);
				assertThat(this.endpoint.resource(null, null, name).waiters()).isOne();
				assertThat(this.endpoint.resource(List.of("a"), null, name).verdict()).isEqualTo(Verdict.HELD);
				assertThat(this.endpoint.release(null, name).getStatus()).isEqualTo(200);
				assertThat(lease.isValid()).isFalse();
				return null;
			}));
	}

	private RedlockEndpoint endpoint() {
		return new RedlockEndpoint(this.world.redlock, Clock.fixed(NOW, ZoneOffset.UTC));
	}

}

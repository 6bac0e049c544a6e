package dev.redlock.spring.autoconfigure.observation;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.redlock.Lease;
import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.internal.client.Internals;
import dev.redlock.memory.InMemoryNode;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MetersTests {

	private final LockWorld world = new LockWorld(LockWorld.renewing());

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final Redlock redlock = this.world.listened(new MeteredLocks(this.registry));

	@Test
	void eachVoteOfEachNodeIsCountedAndTimed() {
		this.world.nodes.get(2).freeze();
		this.redlock.attemptAndWait(this.world.now("stock:42")).orThrow().close();
		this.world.time.advance(Duration.ofSeconds(1));
		this.world.other.attemptAndWait(this.world.now("stock:42")).orThrow();
		this.redlock.attemptAndWait(this.world.now("stock:42"));
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(votes("a", "granted").count()).isEqualTo(1);
		assertThat(votes("a", "refused").count()).isEqualTo(1);
		assertThat(votes("c", "faulted").count()).isEqualTo(2);
		assertThat(votes("c", "faulted").max(TimeUnit.MILLISECONDS)).isEqualTo(1000);
	}

	@Test
	void lossesAreCountedByReasonAndStartAtZero() {
		assertThat(this.registry.get("redlock.lost").tag("reason", "revoked").counter().count()).isZero();
		this.redlock.attemptAndWait(this.world.now("stock:42")).orThrow();
		this.redlock.revoke("stock:42");
		assertThat(this.registry.get("redlock.lost").tag("reason", "revoked").counter().count()).isEqualTo(1);
	}

	@Test
	void renewalsAreCountedByOutcomeAndStartAtZero() {
		assertThat(renewals("extended")).isZero();
		assertThat(renewals("lost")).isZero();
		this.redlock.attemptAndWait(this.world.now("stock:42").withRenew(true)).orThrow();
		this.world.time.advance(Duration.ofSeconds(11));
		assertThat(renewals("extended")).isEqualTo(1);
		this.world.nodes.forEach(InMemoryNode::down);
		this.world.time.advance(Duration.ofSeconds(11));
		assertThat(renewals("unknown")).isPositive();
	}

	@Test
	void gaugesShowNodesMarginAndWaiters() {
		new RedlockGauges(this.redlock, null, null).bindTo(this.registry);
		assertThat(gauge("redlock.margin")).isEqualTo(1);
		this.redlock.attemptAndWait(this.world.now("stock:42", "stock:43")).orThrow();
		this.redlock.attempt(this.world.now("stock:42").withWaitFor(Duration.ofSeconds(5)));
		this.world.nodes.get(0).down();
		this.world.nodes.get(1).down();
		assertThat(gauge("redlock.margin")).isEqualTo(-1);
		assertThat(gauge("redlock.waiters")).isEqualTo(1);
		assertThat(state("a", "unavailable")).isEqualTo(1);
		assertThat(state("a", "ready")).isZero();
		assertThat(state("c", "ready")).isEqualTo(1);
	}

	@Test
	void noTagNamesAResourceAKeyOrAToken() {
		new RedlockGauges(this.redlock, null, null).bindTo(this.registry);
		Lease lease = this.redlock.attemptAndWait(this.world.now("stock:42")).orThrow();
		this.redlock.revoke("stock:42");
		assertThat(this.registry.getMeters().stream().map(Meter::getId).flatMap((id) -> id.getTags().stream()))
			.extracting(Tag::getValue)
			.noneMatch((value) -> value.contains("stock:42") || value.contains(Internals.token(lease)));
	}

	private Timer votes(String node, String outcome) {
		return this.registry.get("redlock.node").tags("node", node, "outcome", outcome).timer();
	}

	private double renewals(String outcome) {
		return this.registry.get("redlock.renew").tag("outcome", outcome).counter().count();
	}

	private double gauge(String name) {
		return this.registry.get(name).gauge().value();
	}

	private double state(String node, String state) {
		return this.registry.get("redlock.node.state").tags("node", node, "state", state).gauge().value();
	}

}

package dev.redlock.spring.autoconfigure.health;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;

import dev.redlock.LockWorld;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

class RedlockHealthIndicatorTests {

	private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-20T10:00:00.4Z"), ZoneOffset.UTC);

	private final LockWorld world = new LockWorld();

	private final RedlockHealthIndicator indicator = new RedlockHealthIndicator(this.world.redlock, CLOCK, Map::of);

	@Test
	void upWithAllNodesSaysNothingOfDegraded() {
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("ready", 3)
			.containsEntry("quorum", 2)
			.containsEntry("margin", 1)
			.doesNotContainKeys("degraded", "reason");
	}

	@Test
	void oneDeadMinorityNodeLeavesTheApplicationUpAndDegraded() {
		this.world.nodes.get(1).down();
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("degraded", true)
			.containsEntry("ready", 2)
			.containsEntry("margin", 0);
		assertThat(node(health, "a")).isEqualTo(Map.of("state", "READY"));
		assertThat(node(health, "b").get("state")).isEqualTo("UNAVAILABLE");
		assertThat(node(health, "b").get("reason")).asString().isNotBlank();
	}

	@Test
	void withoutAQuorumItIsDownAndSaysHowManyAreMissing() {
		this.world.nodes.get(0).down();
		this.world.nodes.get(1).down();
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("margin", -1)
			.containsEntry("reason", "1 of 3 nodes are ready and 2 are needed: no lock can be acquired");
	}

	@Test
	void aClosedLockIsDownAlthoughItsNodesAreReady() {
		this.world.redlock.close();
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("ready", 0)
			.containsEntry("reason", "The lock is closed, because its application context was stopped: no lock can be"
					+ " acquired until the context is started again");
		this.world.redlock.open();
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void aQuarantineIsToldWithItsEnd() {
		NodeStatus quarantined = new NodeStatus(State.QUARANTINED, "It was restarted", Duration.ofMillis(12_700));
		assertThat(RedlockHealthIndicator.details(quarantined, false, CLOCK))
			.isEqualTo(Map.of("state", "QUARANTINED", "reason", "It was restarted", "until", "2026-11-20T10:00:13Z"));
	}

	/**
	 * A native image has no hints for types of this project in the details of health.
	 */
	@Test
	void detailsArePlainValues() {
		this.world.nodes.get(1).down();
		assertPlain(this.indicator.health().getDetails());
	}

	private static void assertPlain(Map<?, ?> details) {
		details.forEach((key, value) -> {
			if (value instanceof Map<?, ?> map) {
				assertPlain(map);
			}
			else {
				assertThat(value.getClass().getName()).as(String.valueOf(key)).startsWith("java.lang.");
			}
		});
	}

	private static Map<?, ?> node(Health health, String name) {
		return (Map<?, ?>) ((Map<?, ?>) health.getDetails().get("nodes")).get(name);
	}

}

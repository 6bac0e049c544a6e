package dev.redlock.spring.leader;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * A gauge of whether this instance leads, for each role.
 */
final class LeaderGauges {

	LeaderGauges(LeaderTemplate leaders, MeterRegistry registry) {
		leaders.watch((role) -> Gauge.builder("redlock.leader", role, (each) -> each.isLeader() ? 1 : 0)
			.description("1 while this instance leads the role, otherwise 0")
			.tag("role", role.name())
			.register(registry));
	}

}

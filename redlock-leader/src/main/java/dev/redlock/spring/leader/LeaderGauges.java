package dev.redlock.spring.leader;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * A gauge of whether this instance leads, for each role.
 */
final class LeaderGauges implements MeterBinder {

	private final LeaderTemplate leaders;

	LeaderGauges(LeaderTemplate leaders) {
		this.leaders = leaders;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.leaders.watch((role) -> Gauge.builder("redlock.leader", role, (each) -> each.isLeader() ? 1 : 0)
			.description("1 while this instance leads the role, otherwise 0")
			.tag("role", role.name())
			.register(registry));
	}

}

package dev.redlock.spring.template;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A lease of work that runs without a lock, so it is always valid and never lost. The
 * fence is the current time, like the fences of real locks, so fence guards accept writes
 * under this lease. Guards also accept the writes after locks are turned on again.
 */
final class PretendedLease extends LeaseView {

	private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

	private final long fence = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());

	private PretendedLease(Set<String> resources) {
		super(resources, List.of(), null);
	}

	static PretendedLease of(List<String> resources) {
		return new PretendedLease(Collections.unmodifiableSet(new TreeSet<>(resources)));
	}

	@Override
	public long fence() {
		return this.fence;
	}

	@Override
	public Duration remaining() {
		return LONG_ENOUGH;
	}

	@Override
	public String toString() {
		return "Lease[without lock]";
	}

}

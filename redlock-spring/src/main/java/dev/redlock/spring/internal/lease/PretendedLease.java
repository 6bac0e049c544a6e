package dev.redlock.spring.internal.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import dev.redlock.internal.plan.Ticket;

/**
 * The lease of a callback that runs while locks are turned off. The fencing token is the
 * time in microseconds, so that checks of fencing tokens also accept later writes under
 * real leases.
 */
public final class PretendedLease extends LeaseView {

	private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

	private final long fence = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());

	private PretendedLease(Set<String> resources) {
		super(resources, List.of(), null);
	}

	public static PretendedLease of(List<String> resources) {
		return new PretendedLease(Collections.unmodifiableSet(new TreeSet<>(resources)));
	}

	@Override
	public long fence() {
		return this.fence;
	}

	/**
	 * Returns a ticket that works while locks are turned off. With locks, its lock is
	 * found free.
	 */
	@Override
	public String detach() {
		return new Ticket(resources().stream().toList(), List.of(), "", "pretended", this.fence, LONG_ENOUGH).text();
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

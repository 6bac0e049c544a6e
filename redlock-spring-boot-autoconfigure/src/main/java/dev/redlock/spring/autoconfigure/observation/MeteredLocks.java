package dev.redlock.spring.autoconfigure.observation;

import java.time.Duration;
import java.util.Locale;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.LossReason;
import dev.redlock.RedlockListener;
import dev.redlock.RequestListener;
import dev.redlock.RequestListener.RenewalOutcome;
import dev.redlock.spi.Vote;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * Counts renewals and losses of leases, and measures how long each node takes to vote.
 */
final class MeteredLocks implements RedlockListener, RequestListener {

	private final MeterProvider<Counter> losses;

	private final MeterProvider<Counter> renewals;

	private final MeterProvider<Timer> votes;

	/**
	 * Creates all counters with the value zero, so that monitoring shows them before the
	 * first event.
	 */
	MeteredLocks(MeterRegistry registry) {
		this.losses = Counter.builder("redlock.lost")
			.description("Leases that were lost before they were released")
			.withRegistry(registry);
		this.renewals = Counter.builder("redlock.renew")
			.description("Attempts to extend a lease before it ends")
			.withRegistry(registry);
		this.votes = Timer.builder("redlock.node")
			.description("The votes of the node on requests for a lock, and how long each vote took")
			.withRegistry(registry);
		for (LossReason reason : LossReason.values()) {
			lost(reason);
		}
		for (RenewalOutcome outcome : RenewalOutcome.values()) {
			renewal(outcome);
		}
	}

	@Override
	public boolean isQuick() {
		return true;
	}

	@Override
	public RequestListener requested(LockRequest request) {
		return this;
	}

	@Override
	public void leaseLost(Lease lease, LossReason reason) {
		lost(reason).increment();
	}

	@Override
	public void voted(String node, Vote vote, Duration took) {
		this.votes.withTags(Tags.of("node", node, "outcome", outcome(vote))).record(took);
	}

	@Override
	public void renewed(Lease lease, RenewalOutcome outcome) {
		renewal(outcome).increment();
	}

	private Counter lost(LossReason reason) {
		return this.losses.withTag("reason", reason.name().toLowerCase(Locale.ROOT));
	}

	private Counter renewal(RenewalOutcome outcome) {
		return this.renewals.withTag("outcome", outcome.name().toLowerCase(Locale.ROOT));
	}

	private static String outcome(Vote vote) {
		return (vote instanceof Vote.Granted) ? "granted" : (vote instanceof Vote.Refused) ? "refused" : "faulted";
	}

}

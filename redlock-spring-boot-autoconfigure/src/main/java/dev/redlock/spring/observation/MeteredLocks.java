package dev.redlock.spring.observation;

import java.time.Duration;
import java.util.Locale;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.LossReason;
import dev.redlock.RedlockListener;
import dev.redlock.RenewalOutcome;
import dev.redlock.RequestListener;
import dev.redlock.spi.Vote;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * Counts renewals and losses, and times the votes of each node.
 */
public final class MeteredLocks implements RedlockListener {

	private final MeterProvider<Counter> losses;

	private final RequestListener follower;

	/**
	 * Creates the listener, with counters that start at zero.
	 * @param registry where the meters are kept
	 */
	public MeteredLocks(MeterRegistry registry) {
		this.losses = Counter.builder("redlock.lost")
			.description("Leases that were lost before they were released")
			.withRegistry(registry);
		for (LossReason reason : LossReason.values()) {
			lost(reason);
		}
		this.follower = new Follower(registry);
	}

	@Override
	public boolean isQuick() {
		return true;
	}

	@Override
	public RequestListener requested(LockRequest request) {
		return this.follower;
	}

	@Override
	public void leaseLost(Lease lease, LossReason reason) {
		lost(reason).increment();
	}

	private Counter lost(LossReason reason) {
		return this.losses.withTag("reason", reason.name().toLowerCase(Locale.ROOT));
	}

	/**
	 * Follows all requests alike.
	 */
	private static final class Follower implements RequestListener {

		private final MeterProvider<Timer> votes;

		private final MeterProvider<Counter> renewals;

		Follower(MeterRegistry registry) {
			this.votes = Timer.builder("redlock.node")
				.description("How the node voted when a lock was asked for, and how long it took")
				.withRegistry(registry);
			this.renewals = Counter.builder("redlock.renew")
				.description("Attempts to extend a lease before it ends")
				.withRegistry(registry);
			for (RenewalOutcome outcome : RenewalOutcome.values()) {
				renewal(outcome);
			}
		}

		@Override
		public void voted(String node, Vote vote, Duration took) {
			this.votes.withTags(Tags.of("node", node, "outcome", outcome(vote))).record(took);
		}

		@Override
		public void renewed(Lease lease, RenewalOutcome outcome) {
			renewal(outcome).increment();
		}

		private Counter renewal(RenewalOutcome outcome) {
			return this.renewals.withTag("outcome", outcome.name().toLowerCase(Locale.ROOT));
		}

		private static String outcome(Vote vote) {
			return (vote instanceof Vote.Granted) ? "granted" : (vote instanceof Vote.Refused) ? "refused" : "faulted";
		}

	}

}

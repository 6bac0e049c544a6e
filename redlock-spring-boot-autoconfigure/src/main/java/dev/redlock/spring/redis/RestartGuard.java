package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a server that was just checked may have forgotten locks, and how long
 * it then has to wait.
 */
final class RestartGuard {

	/**
	 * Uptime comes in whole seconds, and both ends of it were cut off.
	 */
	private static final Duration UPTIME_GRANULARITY = Duration.ofSeconds(1);

	private final NodeSettings settings;

	private final Ticker ticker;

	private final AtomicReference<@Nullable Sight> lastSight = new AtomicReference<>();

	RestartGuard(NodeSettings settings, Ticker ticker) {
		this.settings = settings;
		this.ticker = ticker;
	}

	Verdict judge(ServerFacts facts) {
		String unfit = facts.unfitBecause();
		if (unfit != null) {
			return new Verdict(State.UNFIT, unfit, Duration.ZERO);
		}
		Sight sight = see(facts.incarnation());
		Duration remaining = remaining(facts, sight);
		if (remaining.isZero()) {
			voted(sight);
			return new Verdict(State.READY, "", Duration.ZERO);
		}
		return new Verdict(State.QUARANTINED, reason(sight), remaining);
	}

	/**
	 * The quarantine of the server that was seen last is over.
	 */
	void served() {
		Sight sight = this.lastSight.get();
		if (sight != null) {
			voted(sight);
		}
	}

	private Duration remaining(ServerFacts facts, Sight sight) {
		if (!this.settings.restartGuard() || sight.voted || isOldAcquaintance(facts, sight)
				|| (facts.durable() && !facts.promoted())) {
			return Duration.ZERO;
		}
		Duration waited = Duration.ofNanos(this.ticker.nanoTime() - sight.sinceNanos);
		Duration remaining = this.settings.quarantine().minus(waited);
		return remaining.isNegative() ? Duration.ZERO : remaining;
	}

	/**
	 * A server that was running for longer than any lock lives has not forgotten one.
	 * This says nothing where the server took the place of another one: a promoted
	 * replica, or a second server that this node had not seen before, may be old and yet
	 * know nothing of the locks. Uptime is wall-clock time, hence the look at the clock.
	 */
	private boolean isOldAcquaintance(ServerFacts facts, Sight sight) {
		Duration needed = this.settings.quarantine().plus(UPTIME_GRANULARITY);
		return sight.first && !facts.promoted() && facts.uptime().compareTo(needed) >= 0
				&& Math.abs(facts.clockErrorMicros()) <= this.settings.clockBoundMicros();
	}

	/**
	 * Only the last incarnation is remembered: one that comes back after another one has
	 * served in its place does not know the locks of the other.
	 */
	@SuppressWarnings("NullAway") // The update never answers null.
	private Sight see(String incarnation) {
		return this.lastSight.updateAndGet((last) -> {
			if (last != null && last.incarnation.equals(incarnation)) {
				return last;
			}
			return new Sight(incarnation, this.ticker.nanoTime(), last == null, false);
		});
	}

	private void voted(Sight sight) {
		this.lastSight.compareAndSet(sight, new Sight(sight.incarnation, sight.sinceNanos, sight.first, true));
	}

	private String reason(Sight sight) {
		return (sight.first ? "It has not been running for longer than a lock may live, or its clock is off"
				: "It was restarted, or another server took its place")
				+ ", so it may have forgotten locks that are still held";
	}

	/**
	 * What becomes of a server.
	 *
	 * @param state ready, quarantined or unfit
	 * @param reason a sentence for people
	 * @param remaining how long the quarantine lasts
	 */
	record Verdict(State state, String reason, Duration remaining) {

	}

	private record Sight(String incarnation, long sinceNanos, boolean first, boolean voted) {

	}

}

package dev.redlock;

import java.time.Duration;
import java.util.function.Consumer;

import dev.redlock.RequestListener.HoldEnd;
import dev.redlock.RequestListener.RenewalOutcome;
import dev.redlock.spi.Vote;

/**
 * A listener that passes on each notification, to several listeners or on another thread.
 *
 * @param relay calls each listener with the notification
 */
record RelayedListener(Consumer<Consumer<RequestListener>> relay) implements RequestListener {

	@Override
	public void voted(String node, Vote vote, Duration took) {
		this.relay.accept((listener) -> listener.voted(node, vote, took));
	}

	@Override
	public void ended(LockAttempt attempt) {
		this.relay.accept((listener) -> listener.ended(attempt));
	}

	@Override
	public void renewed(Lease lease, RenewalOutcome outcome) {
		this.relay.accept((listener) -> listener.renewed(lease, outcome));
	}

	@Override
	public void holdEnded(Lease lease, HoldEnd end) {
		this.relay.accept((listener) -> listener.holdEnded(lease, end));
	}

}

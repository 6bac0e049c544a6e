package dev.redlock;

import java.time.Duration;

import dev.redlock.spi.Vote;

/**
 * A listener of everything.
 */
public abstract class AllHooks implements RedlockListener, RequestListener {

	/**
	 * Something was told.
	 * @param hook the method
	 * @param what what was told, in short
	 */
	protected abstract void told(String hook, String what);

	@Override
	public RequestListener requested(LockRequest request) {
		told("requested", request.origin() + " asks for " + request.resources());
		return this;
	}

	@Override
	public void leaseLost(Lease lease, LossReason reason) {
		told("leaseLost", "lost " + reason);
	}

	@Override
	public void voted(String node, Vote vote, Duration took) {
		told("voted", node + " " + vote.getClass().getSimpleName());
	}

	@Override
	public void ended(LockAttempt attempt) {
		told("ended", attempt.reason().map(Enum::name).orElse("acquired"));
	}

	@Override
	public void renewed(Lease lease, RenewalOutcome outcome) {
		told("renewed", outcome.name());
	}

	@Override
	public void holdEnded(Lease lease, HoldEnd end) {
		told("holdEnded", end.name());
	}

}

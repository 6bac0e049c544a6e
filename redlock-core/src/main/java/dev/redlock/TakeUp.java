package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;

/**
 * Goes on with a lease of another process: on a majority, each in one step, a new token
 * takes the place of the one in the ticket. Each of those nodes has held the lock without
 * a gap, so nobody else can have had a majority meanwhile; and of two who come with the
 * same ticket only one finds its token.
 */
final class TakeUp {

	private final Engine engine;

	private final LockPlan plan;

	private final Ticket ticket;

	private final Moment start;

	private final Claim former;

	private final Claim claim;

	TakeUp(Engine engine, LockPlan plan, Ticket ticket) {
		this.engine = engine;
		this.plan = plan;
		this.ticket = ticket;
		this.start = Moment.now(engine.ticker());
		this.former = plan.claim(ticket.token());
		this.claim = plan.claim(engine.tokens().next());
	}

	CompletableFuture<LockAttempt> run() {
		return Round
			.ask(this.plan.nodes(), this.plan.quorum().majority(), this.plan.nodeTimeout(), this.engine.scheduler(),
					(node) -> node.transfer(this.former, this.claim, this.ticket.fence()))
			.decided()
			.thenApply(this::judge);
	}

	private LockAttempt judge(Tally tally) {
		Duration elapsed = Duration.ofNanos(this.start.elapsedNanos(this.engine.ticker()));
		boolean inTime = elapsed.compareTo(this.plan.ttl().minus(this.plan.drift())) < 0;
		if (tally.won() && inTime) {
			HeldLease lease = new HeldLease(this.engine, this.plan, this.claim, this.ticket.fence(), this.start,
					this.plan.nodes());
			lease.start(null);
			return LockAttempt.won(lease, tally.named(), 1, elapsed);
		}
		// Whichever of the two tokens a node has: the lease is nobody's from here on.
		release(this.claim);
		release(this.former);
		Reason reason = tally.won() ? Reason.VALIDITY_EXHAUSTED
				: tally.blockedBy(Vote.Faulted.class::isInstance) ? Reason.NO_QUORUM : Reason.HELD;
		return LockAttempt.failed(this.plan.resources(), reason, tally.named(), 1, elapsed);
	}

	private void release(Claim which) {
		List<LockNode> nodes = this.plan.nodes();
		this.engine.releases()
			.send(new Releases.Release(which, nodes, (node) -> true, this.start, this.plan.nodeTimeout(), Duration.ZERO,
					true));
	}

}

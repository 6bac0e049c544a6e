package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.Releases.Announcement;
import dev.redlock.spi.Claim;
import dev.redlock.spi.Vote;

/**
 * The take-up of a lease from another process. On a majority of nodes, a new token
 * replaces the token of the ticket, in one step on each node. Each of these nodes has
 * held the lock without a gap, so no other process can have had a majority in between. If
 * a ticket is used twice, only one use still finds its token on a majority.
 */
final class TakeUp implements Round.Listener {

	private final LockContext context;

	private final KeyQueues queues;

	private final Set<HeldLease> leases;

	private final LockPlan plan;

	private final Ticket ticket;

	private final Moment start;

	private final Claim former;

	private final Claim claim;

	private final CompletableFuture<LockAttempt> outcome = new CompletableFuture<>();

	TakeUp(LockContext context, KeyQueues queues, Set<HeldLease> leases, LockPlan plan, Ticket ticket) {
		this.context = context;
		this.queues = queues;
		this.leases = leases;
		this.plan = plan;
		this.ticket = ticket;
		this.start = Moment.now(context.ticker());
		this.former = plan.claim(ticket.token());
		this.claim = plan.claim(context.tokens().next(plan.nodes()));
	}

	/**
	 * Returns a future that completes with the lease, or with the reason why there is
	 * none.
	 */
	CompletableFuture<LockAttempt> run() {
		if (!this.context.loop().post(this::ask)) {
			refuse();
		}
		return this.outcome;
	}

	@Override
	public void decided(Tally tally) {
		Duration elapsed = Duration.ofNanos(this.start.elapsedNanos(this.context.ticker()));
		boolean inTime = this.plan.validity(this.start).remainingNanos(this.context.ticker()) > 0;
		if (tally.won() && inTime && !this.queues.isClosed()) {
			Grant grant = new Grant(this.claim, this.ticket.fence(), this.start, this.plan.nodes());
			HeldLease lease = new HeldLease(this.context, this.plan, grant, null, null, this.leases);
			lease.start();
			this.outcome.complete(LockAttempt.won(lease, tally.named(), 1, elapsed));
			return;
		}
		// Releases both tokens, because each node may have either of them, and no process
		// owns the lease now.
		release(this.claim);
		release(this.former);
		Reason reason = this.queues.isClosed() ? Reason.SHUTTING_DOWN : tally.won() ? Reason.VALIDITY_EXHAUSTED
				: tally.blockedBy(Vote.Faulted.class::isInstance) ? Reason.NO_QUORUM : Reason.HELD;
		this.outcome.complete(LockAttempt.failed(this.plan.resources(), reason, tally.named(), 1, elapsed));
	}

	private void ask() {
		if (this.queues.isClosed()) {
			refuse();
		}
		else {
			new Round(this.plan.nodes(), this.plan.quorum().majority(), this.context.loop(), this)
				.ask(this.plan.nodeTimeout(), (node) -> node.transfer(this.former, this.claim, this.ticket.fence()));
		}
	}

	private void refuse() {
		this.outcome
			.complete(LockAttempt.failed(this.plan.resources(), Reason.SHUTTING_DOWN, List.of(), 0, Duration.ZERO));
	}

	private void release(Claim which) {
		this.context.releases()
			.send(new Releases.Release(which, this.plan.nodes(), (node) -> true, this.start, this.plan.nodeTimeout(),
					Duration.ZERO, Announcement.ALWAYS));
	}

}

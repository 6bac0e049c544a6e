package dev.redlock.internal.lease;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.ReleaseResult;
import dev.redlock.Tick;
import dev.redlock.internal.lease.LeaseExtension.Sent;
import dev.redlock.internal.plan.LockPlan;
import dev.redlock.internal.vote.HandOver;
import dev.redlock.internal.vote.LockContext;
import dev.redlock.internal.vote.Releases;
import dev.redlock.internal.vote.Round;
import dev.redlock.internal.vote.Tally;
import dev.redlock.internal.vote.TickRound;
import dev.redlock.internal.vote.Verdict.FailedFor;
import dev.redlock.internal.waiting.KeyQueue;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The release of one lease. The thread that ends the lease creates it, and the loop sends
 * it.
 */
final class LeaseRelease implements KeyQueue.Release, Round.Listener {

	private static final Logger logger = LoggerFactory.getLogger(LeaseRelease.class);

	private static final int UNKNOWN = -1;

	private final HeldLease lease;

	private final Duration keep;

	private final boolean wasValid;

	private final boolean marksTick;

	private final CompletableFuture<Void> confirmed = new CompletableFuture<>();

	private final KeyQueue queue;

	private boolean listened;

	LeaseRelease(HeldLease lease, KeyQueue queue, boolean wasValid, boolean used, Duration least) {
		this.lease = lease;
		this.queue = queue;
		this.wasValid = wasValid;
		Tick tick = lease.plan().tick();
		this.marksTick = used && wasValid && tick != null && tick.rerun();
		Duration left = lease.plan().atLeast().minus(lease.heldFor());
		this.keep = (wasValid && left.compareTo(least) > 0) ? left : least;
	}

	/**
	 * Completes when the outcome of the release is certain.
	 */
	CompletableFuture<Void> confirmed() {
		return this.confirmed;
	}

	@Override
	public boolean mayHandOverTo(LockPlan next) {
		LockPlan plan = this.lease.plan();
		boolean sameKind = next.ticket() == null && (next.tick() == null) == (plan.tick() == null);
		return sameKind && this.wasValid && this.lease.wouldBeValid() && this.keep.isZero() && plan.canReachQuorumNow();
	}

	@Override
	public HandOver handOver(LockContext context) {
		return context.releases().handOver(command(context), this.lease.grant().fence(), this);
	}

	@Override
	public void send(LockContext context) {
		context.releases().send(command(context), this);
	}

	/**
	 * Completes the release with no confirmation from a node, because the event loop has
	 * ended. Without a release, the nodes forget the lease after its ttl.
	 */
	void notSent() {
		this.lease.released(new ReleaseResult(0, this.lease.plan().nodes().size(), this.wasValid));
		this.confirmed.complete(null);
	}

	@Override
	public void decided(Tally tally) {
		int listeners = (int) tally
			.max((vote) -> (vote instanceof Vote.Granted granted) ? granted.listeners() : UNKNOWN);
		this.queue.releaseAnswered((this.listened && listeners > 0) ? listeners - 1 : listeners);
		this.confirmed.complete(null);
	}

	@Override
	public void allAnswered(Tally tally) {
		int released = tally.count(Vote.Granted.class::isInstance);
		this.lease.released(new ReleaseResult(released, tally.nodes().size(), this.wasValid));
	}

	private Releases.ReleaseCommand command(LockContext context) {
		this.listened = this.queue.isSubscribed();
		LockPlan plan = this.lease.plan();
		if (this.marksTick) {
			// The job is marked as run before the release is sent, while the lock still
			// keeps other processes away.
			TickRound.markDone(context, plan, this.lease.grant().claim(), this::marked);
		}
		Sent sent = this.lease.extension().sent();
		Claim claim = this.lease.grant().claim().withTtl(sent.longestTtl());
		return new Releases.ReleaseCommand(claim, plan.nodes(), this::mayBeHeldBy, sent.last(), plan.nodeTimeout(),
				this.keep, true);
	}

	private void marked(@Nullable FailedFor failure) {
		if (failure != null && failure.reason() != Reason.TICK_TAKEN) {
			logger.warn(
					"The job with the lock on {} has ended, but too few nodes could mark this run as done, so "
							+ "another process may run the job again: {}",
					this.lease.resources(), failure.votes().named());
		}
	}

	private boolean mayBeHeldBy(LockNode node) {
		return this.lease.extension().sent().restored() || this.lease.grant().mayHold().contains(node);
	}

}

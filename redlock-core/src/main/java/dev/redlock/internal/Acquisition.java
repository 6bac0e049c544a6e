package dev.redlock.internal;

import java.time.Duration;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.internal.Releases.Announcement;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;

/**
 * One try to acquire the lock: the acquire round, the settlement of the fence and of the
 * tick, and the result. A try without a grant releases everything that it claimed.
 */
final class Acquisition implements Round.Listener {

	private final LockContext context;

	private final LockPlan plan;

	private final boolean owesAnnouncement;

	private final Owner owner;

	private final Moment start;

	private final Claim claim;

	private final Round round;

	/** The time that each node took to answer. */
	private final long[] answerNanos;

	private boolean over;

	private boolean awaitsTick;

	/**
	 * Creates a try that has not begun.
	 * @param owesAnnouncement whether the release of a failed try must be announced even
	 * without a majority, because the release of the previous lease was not announced
	 * @param owner receives the result
	 */
	Acquisition(LockContext context, LockPlan plan, boolean owesAnnouncement, Owner owner) {
		this.context = context;
		this.plan = plan;
		this.owesAnnouncement = owesAnnouncement;
		this.owner = owner;
		// This moment is taken before anything is sent, because each node starts to count
		// the ttl later.
		this.start = Moment.now(context.ticker());
		this.claim = plan.claim(context.tokens().next(plan));
		this.answerNanos = new long[plan.nodes().size()];
		this.round = new Round(plan.nodes(), plan.majority(), context.loop(), this);
	}

	/**
	 * Returns the plan for the keys that this try locks. With permits, the keys belong to
	 * one permit.
	 */
	LockPlan plan() {
		return this.plan;
	}

	/**
	 * Asks the nodes. The result may be reported before this method returns.
	 */
	void start() {
		long proposal = this.plan.fenced() ? this.context.fences().next() : Claim.UNFENCED;
		this.round.ask(this.plan.nodeTimeout(), (node) -> node.acquire(this.claim, proposal));
	}

	/**
	 * Gives up the try, and sends the releases right after the claims, without waiting
	 * for answers to the claims. A try with a result stays as it is.
	 */
	void abandon() {
		if (!this.over) {
			this.over = true;
			release(true);
		}
	}

	/**
	 * Returns the votes received so far.
	 */
	Tally votes() {
		return this.round.tally();
	}

	/**
	 * Whether the try failed because the clocks of the nodes were unknown. The votes have
	 * shown the clocks, so the next fence proposal will fit.
	 */
	boolean taughtClocks() {
		return votes().blockedBy((vote) -> vote instanceof Faulted faulted && faulted.fault() == Fault.CLOCK);
	}

	/**
	 * Whether the try has ended or was abandoned.
	 */
	boolean isOver() {
		return this.over;
	}

	/**
	 * Whether the try has the lock and is asking the nodes to mark its tick.
	 */
	boolean awaitsTick() {
		return this.awaitsTick && !this.over;
	}

	@Override
	public void voted(int index) {
		this.answerNanos[index] = this.start.monotonicNanos(this.context.ticker());
		this.owner.voted();
	}

	@Override
	public void decided(Tally tally) {
		this.context.fences().learn(tally);
		this.context.roundTimes().took(this.start.elapsedNanos(this.context.ticker()));
		if (this.over) {
			// The claim has already been released.
			return;
		}
		if (!tally.won()) {
			fail(tally.whyNotWon(), tally);
		}
		else if (this.plan.fenced()) {
			FenceSettlement.settle(this.context.loop(), this.plan, this.claim, tally,
					(fence) -> fenceSettled(fence, tally));
		}
		else {
			settleTick(Claim.UNFENCED, tally);
		}
	}

	@Override
	public void settled(Tally tally) {
		this.plan.notifier().voted(tally, this.answerNanos);
	}

	private void fenceSettled(long fence, Tally tally) {
		if (fence == FenceSettlement.FAILED) {
			fail(Reason.FENCE_NOT_SETTLED, tally);
		}
		else if (!this.over) {
			this.context.fences().saw(fence);
			settleTick(fence, tally);
		}
	}

	private void settleTick(long fence, Tally tally) {
		if (this.plan.tick() == null) {
			win(fence, tally);
		}
		else {
			this.awaitsTick = true;
			TickRound.settle(this.context, this.plan, this.claim, () -> !this.over && isValid(), (result) -> {
				if (result.reason() == null) {
					win(fence, tally);
				}
				else {
					fail(tally, result);
				}
			});
		}
	}

	private void win(long fence, Tally tally) {
		// This check must stay the last one before the lease is granted.
		if (!isValid()) {
			fail((this.awaitsTick && this.plan.marksTickFirst()) ? Reason.TICK_LOST : Reason.VALIDITY_EXHAUSTED, tally);
		}
		else if (!this.over) {
			this.over = true;
			Grant grant = new Grant(this.claim, fence, this.start, tally.unlessRefused());
			this.owner.ended(new TryResult(grant, null, tally, this.round));
		}
	}

	private boolean isValid() {
		return this.plan.validity(this.start).remainingNanos(this.context.ticker()) > 0;
	}

	private void fail(Reason reason, Tally tally) {
		fail(tally, new TryResult(null, reason, tally, this.round));
	}

	private void fail(Tally tally, TryResult result) {
		if (!this.over) {
			this.over = true;
			// The release is announced if a majority may have the claim, because other
			// processes may wait for the owner of the claim. No process waits for an
			// owner without a majority.
			release(tally.unlessRefused().size() >= tally.needed() || this.owesAnnouncement);
			this.owner.ended(result);
		}
	}

	private void release(boolean announced) {
		this.context.releases()
			.send(new Releases.Release(this.claim, this.plan.nodes(), this::mayHold, this.start,
					this.plan.nodeTimeout(), Duration.ZERO, announced ? Announcement.ALWAYS : Announcement.NEVER));
	}

	/**
	 * Whether a node may hold the claim, because the node granted the claim or its answer
	 * is unknown.
	 */
	private boolean mayHold(LockNode node) {
		return this.round.tally().unlessRefused().contains(node);
	}

	/**
	 * The owner of a try, which receives its result.
	 */
	interface Owner {

		/**
		 * Called once when the try has a result, never after the try was abandoned.
		 */
		void ended(TryResult result);

		/**
		 * Called when a node has voted, even while other nodes are still being asked,
		 * after the result, or for a try that was abandoned.
		 */
		void voted();

	}

}

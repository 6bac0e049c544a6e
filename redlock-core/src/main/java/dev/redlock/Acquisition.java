package dev.redlock;

import java.time.Duration;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import org.jspecify.annotations.Nullable;

/**
 * One try: an acquire round, the settling of its fence, and the result. Whatever the
 * result, it leaves behind either a grant or nothing.
 */
final class Acquisition implements Round.Listener {

	private final LockContext context;

	private final LockPlan plan;

	private final boolean owesAnnouncement;

	private final Owner owner;

	private final Moment start;

	private final Claim claim;

	private final Round round;

	/** How long each node took to answer; null if no listener follows the request. */
	private final long @Nullable [] answerNanos;

	private boolean over;

	/**
	 * A try that has not begun.
	 * @param owesAnnouncement whether its release has to be announced even if it had no
	 * majority, since that of the lease before it was not
	 * @param owner is told the result
	 */
	Acquisition(LockContext context, LockPlan plan, boolean owesAnnouncement, Owner owner) {
		this.context = context;
		this.plan = plan;
		this.owesAnnouncement = owesAnnouncement;
		this.owner = owner;
		// Before anything is built or sent: the nodes count the ttl from a later moment.
		this.start = Moment.now(context.ticker());
		this.claim = plan.claim(context.tokens().next());
		this.answerNanos = (plan.notifier() != null) ? new long[plan.nodes().size()] : null;
		this.round = new Round(plan.nodes(), plan.quorum().majority(), context.loop(), this);
	}

	/**
	 * Asks the nodes. The result may be there before this returns.
	 */
	void start() {
		long proposal = this.context.settings().fencing() ? this.context.fences().next() : Claim.UNFENCED;
		this.round.ask(this.plan.nodeTimeout(), (node) -> node.acquire(this.claim, proposal));
	}

	/**
	 * Gives up: the releases go out right behind the claims, without waiting for their
	 * answers. Has no effect once there is a result.
	 */
	void abandon() {
		if (!this.over) {
			this.over = true;
			release(true);
		}
	}

	/**
	 * The votes that have come in by now.
	 */
	Tally votes() {
		return this.round.tally();
	}

	@Override
	public void voted(int index) {
		if (this.answerNanos != null) {
			this.answerNanos[index] = this.context.ticker().nanoTime() - this.start.nanos();
		}
	}

	@Override
	public void decided(Tally tally) {
		this.context.fences().learn(tally);
		this.context.roundTimes().took(this.start.elapsedNanos(this.context.ticker()));
		if (!tally.won()) {
			fail(tally.whyNotWon(), tally);
		}
		else if (this.context.settings().fencing()) {
			new FenceSettlement(this.context.loop(), this.plan, this.claim, (fence) -> fenceSettled(fence, tally))
				.settle(tally);
		}
		else {
			win(Claim.UNFENCED, tally);
		}
	}

	@Override
	public void explained() {
		this.owner.explained(this);
	}

	@Override
	public void settled(Tally tally) {
		RequestNotifier notifier = this.plan.notifier();
		if (notifier != null && this.answerNanos != null) {
			notifier.voted(tally, this.answerNanos);
		}
	}

	private void fenceSettled(long fence, Tally tally) {
		if (fence == FenceSettlement.FAILED) {
			fail(Reason.FENCE_NOT_SETTLED, tally);
		}
		else {
			this.context.fences().saw(fence);
			win(fence, tally);
		}
	}

	private void win(long fence, Tally tally) {
		// The very last check before the lease is handed out.
		if (this.plan.validity(this.start).remainingNanos(this.context.ticker()) <= 0) {
			fail(Reason.VALIDITY_EXHAUSTED, tally);
		}
		else if (!this.over) {
			this.over = true;
			Grant grant = new Grant(this.claim, fence, this.start, tally.unlessRefused());
			this.owner.ended(new TryResult(grant, null, tally, this.round));
		}
	}

	private void fail(Reason reason, Tally tally) {
		if (!this.over) {
			this.over = true;
			// Announced if this try had a majority, because others may have been refused
			// by it. Those that split a vote try again in any case.
			release(tally.won() || this.owesAnnouncement);
			this.owner.ended(new TryResult(null, reason, tally, this.round));
		}
	}

	private void release(boolean announced) {
		this.context.releases()
			.send(new Releases.Release(this.claim, this.plan.nodes(), this::mayHold, this.start,
					this.plan.nodeTimeout(), Duration.ZERO, announced));
	}

	/**
	 * Whether a node may hold the claim: it said so, or it is not known.
	 */
	private boolean mayHold(LockNode node) {
		return this.round.tally().unlessRefused().contains(node);
	}

	/**
	 * Is told what comes of a try.
	 */
	interface Owner {

		/**
		 * The try has ended. Told once, unless it was abandoned.
		 */
		void ended(TryResult result);

		/**
		 * Later votes no longer change why the try was not won. Told after its end, even
		 * if it was abandoned meanwhile.
		 */
		void explained(Acquisition which);

	}

}

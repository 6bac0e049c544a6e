package dev.redlock.internal.vote;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.internal.plan.LockPlan;
import dev.redlock.internal.plan.Moment;
import dev.redlock.internal.plan.Ticket;
import dev.redlock.internal.vote.Verdict.Failed;
import dev.redlock.internal.vote.Verdict.FailedFor;
import dev.redlock.internal.vote.Verdict.FailedSoFar;
import dev.redlock.internal.vote.Verdict.Won;
import dev.redlock.spi.Claim;
import dev.redlock.spi.Claim.Predecessor;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * One claim on all nodes, which needs a majority of them. A claim that fails sends
 * releases to all nodes, but repeats a release only on a node that may have granted the
 * keys.
 */
public final class Acquisition implements Round.Listener {

	private final LockContext context;

	private final LockPlan plan;

	private final @Nullable HandOver handOver;

	private final Consumer<Won> won;

	private final Consumer<Failed> failed;

	private final Runnable voted;

	private final Moment start;

	private final Claim claim;

	private final Round round;

	private final long[] answerNanos;

	private Phase phase = Phase.LOCK;

	/**
	 * One of {@code won} and {@code failed} is called once, but not after
	 * {@link #abandon()}.
	 * @param voted called for each vote of a node, even after the verdict
	 */
	public Acquisition(LockContext context, LockPlan plan, @Nullable HandOver handOver, Consumer<Won> won,
			Consumer<Failed> failed, Runnable voted) {
		this.context = context;
		this.plan = plan;
		this.handOver = handOver;
		this.won = won;
		this.failed = failed;
		this.voted = voted;
		// The clock is read before a request is sent, because each node starts to count
		// the ttl of the keys later.
		this.start = Moment.now(context.ticker());
		this.claim = plan.claim(context.tokens().next(plan));
		this.answerNanos = new long[plan.nodes().size()];
		this.round = new Round(plan.nodes(), plan.majority(), context.loop(), this);
	}

	public void start() {
		Ticket ticket = this.plan.ticket();
		long proposal = this.plan.fenced() ? this.context.fences().next() : Claim.UNFENCED;
		if (ticket != null) {
			// A fence above the predecessor's on each node lets a node grant one
			// successor.
			ask(this.claim.succeeding(new Predecessor(ticket.token(), ticket.fence(), true)),
					Math.max(proposal, ticket.fence() + 1));
		}
		else {
			ask((this.handOver != null) ? this.claim.succeeding(this.handOver.predecessor()) : this.claim, proposal);
		}
	}

	private void ask(Claim asked, long proposal) {
		this.round.ask(this.plan.nodeTimeout(), (node) -> node.acquire(asked, proposal));
	}

	/**
	 * Ends the try, and sends releases right behind the acquire commands, without waiting
	 * for the nodes that have not answered.
	 */
	public void abandon() {
		if (!isOver()) {
			end();
			release(true);
		}
	}

	public Tally votes() {
		return this.round.tally();
	}

	/**
	 * Whether the try took longer than its timers allow, because this process did not run
	 * meanwhile.
	 */
	public boolean wasPaused() {
		return this.start
			.elapsedNanos(this.context.ticker()) > this.plan.longestTry().plus(this.plan.nodeTimeout()).toNanos();
	}

	private boolean isOver() {
		return this.phase == Phase.OVER;
	}

	public boolean asksForTick() {
		return this.phase == Phase.TICK;
	}

	@Override
	public void voted(int index, Vote vote) {
		this.answerNanos[index] = this.start.monotonicNanos(this.context.ticker());
		if (this.handOver != null) {
			this.handOver.voted(this.plan.nodes().get(index), vote);
		}
		this.voted.run();
	}

	@Override
	public void decided(Tally tally) {
		this.context.fences().learn(tally);
		this.context.roundTimes().took(this.start.elapsedNanos(this.context.ticker()));
		if (isOver()) {
			return;
		}
		if (!tally.won()) {
			fail(tally, new FailedSoFar(this.round));
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
	public void allAnswered(Tally tally) {
		this.plan.notifier().voted(tally.nodes(), tally.votes(), this.answerNanos);
	}

	private void fenceSettled(long fence, Tally tally) {
		if (fence == FenceSettlement.FAILED) {
			fail(tally, new FailedFor(Reason.FENCE_NOT_SETTLED, votes()));
		}
		else if (!isOver()) {
			this.context.fences().saw(fence);
			settleTick(fence, tally);
		}
	}

	private void settleTick(long fence, Tally tally) {
		if (this.plan.tick() == null) {
			win(fence, tally);
		}
		else {
			this.phase = Phase.TICK;
			TickRound.settle(this.context, this.plan, this.claim, () -> !isOver() && isValid(), (failure) -> {
				if (failure == null) {
					win(fence, tally);
				}
				else {
					fail(tally, failure);
				}
			});
		}
	}

	private void win(long fence, Tally tally) {
		// The validity is checked after the commands for the fence and for the job,
		// because these commands take time.
		if (!isValid()) {
			fail(tally, new FailedFor(
					(asksForTick() && this.plan.marksTickFirst()) ? Reason.TICK_LOST : Reason.VALIDITY_EXHAUSTED,
					votes()));
		}
		else if (!isOver()) {
			end();
			releasePredecessor();
			Grant grant = new Grant(this.plan, this.claim, fence, this.start, tally.unlessRefused());
			this.won.accept(new Won(grant, tally, this.handOver != null));
		}
	}

	/**
	 * Releases the predecessor on each node that has not granted the succession, which
	 * may still hold the predecessor's keys.
	 */
	private void releasePredecessor() {
		Ticket ticket = this.plan.ticket();
		List<LockNode> others = (ticket != null)
				? this.round.tally().nodesWith((vote) -> !(vote instanceof Vote.Granted)) : List.of();
		if (ticket != null && !others.isEmpty()) {
			Claim predecessor = new Claim(this.claim.keys(), ticket.token(), ticket.longestTtl());
			this.context.releases()
				.send(new Releases.ReleaseCommand(predecessor, others, (node) -> true, this.start,
						this.plan.nodeTimeout(), Duration.ZERO, false));
		}
	}

	private void end() {
		this.phase = Phase.OVER;
		this.context.permits().unreserve(this.plan);
	}

	private boolean isValid() {
		return this.plan.validity(this.start).remainingNanos(this.context.ticker()) > 0;
	}

	private void fail(Tally tally, Failed failure) {
		if (!isOver()) {
			end();
			// Other processes wait for an announcement only from an owner that may have
			// had a majority. The release of the predecessor was not announced.
			release(tally.unlessRefused().size() >= tally.needed() || this.handOver != null);
			this.failed.accept(failure);
		}
	}

	private void release(boolean announced) {
		this.context.releases()
			.send(new Releases.ReleaseCommand(this.claim, this.plan.nodes(), this::mayHold, this.start,
					this.plan.nodeTimeout(), Duration.ZERO, announced));
	}

	private boolean mayHold(LockNode node) {
		return this.round.tally().unlessRefused().contains(node);
	}

	/**
	 * What the try asks the nodes for.
	 */
	private enum Phase {

		LOCK, TICK, OVER

	}

}

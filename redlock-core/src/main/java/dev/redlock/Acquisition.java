package dev.redlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;

/**
 * One attempt: an acquire round, the settling of its fence, and the verdict. Whatever the
 * verdict, it leaves behind either a lease or nothing.
 */
final class Acquisition {

	private final Engine engine;

	private final LockPlan plan;

	private final Moment start;

	private final Claim claim;

	private final Round round;

	private final AtomicBoolean over = new AtomicBoolean();

	private final CompletableFuture<Verdict> verdict = new CompletableFuture<>();

	Acquisition(Engine engine, LockPlan plan) {
		this.engine = engine;
		this.plan = plan;
		// Before anything is built or sent: the nodes count the ttl from a later moment.
		this.start = Moment.now(engine.ticker());
		this.claim = plan.claim(engine.tokens().next());
		long proposal = engine.settings().fencing() ? engine.fences().next() : Claim.UNFENCED;
		Following following = plan.following();
		this.round = (following == null) ? ask((node) -> node.acquire(this.claim, proposal))
				: following.vote((node) -> node.acquire(this.claim, proposal), this::ask);
		this.round.decided().thenAccept(this::onDecided);
	}

	CompletableFuture<Verdict> verdict() {
		return this.verdict;
	}

	/**
	 * Gives up: the releases go out right behind the claims, without waiting for their
	 * answers. Has no effect once there is a verdict.
	 */
	void abandon() {
		if (this.over.compareAndSet(false, true)) {
			release(true);
		}
	}

	Tally votes() {
		return this.round.tally();
	}

	private Round ask(Function<LockNode, CompletionStage<Vote>> operation) {
		return Round.ask(this.plan.nodes(), this.plan.quorum().majority(), this.plan.nodeTimeout(),
				this.engine.scheduler(), operation);
	}

	private void onDecided(Tally tally) {
		this.engine.fences().learn(tally);
		this.engine.pace().took(this.start.elapsedNanos(this.engine.ticker()));
		if (!tally.won()) {
			fail(tally.whyNotWon(), tally);
		}
		else if (this.engine.settings().fencing()) {
			new FenceSettlement(this.engine, this.plan, this.claim, tally).settle()
				.thenAccept((fence) -> onFence(fence, tally));
		}
		else {
			win(Claim.UNFENCED, tally);
		}
	}

	private void onFence(long fence, Tally tally) {
		if (fence == FenceSettlement.FAILED) {
			fail(Reason.FENCE_NOT_SETTLED, tally);
		}
		else {
			this.engine.fences().saw(fence);
			win(fence, tally);
		}
	}

	private void win(long fence, Tally tally) {
		// The very last check before the lease is handed out.
		if (this.plan.term(this.start).remainingNanos(this.engine.ticker()) <= 0) {
			fail(Reason.VALIDITY_EXHAUSTED, tally);
		}
		else if (this.over.compareAndSet(false, true)) {
			HeldLease lease = new HeldLease(this.engine, this.plan, this.claim, fence, this.start,
					tally.unlessRefused());
			this.verdict.complete(new Verdict(lease, null, tally, this.round));
		}
	}

	private void fail(Reason reason, Tally tally) {
		if (this.over.compareAndSet(false, true)) {
			// Announced if this attempt had a majority, because others may have been
			// refused by it. Those that split a vote try again in any case.
			release(tally.won());
			this.verdict.complete(new Verdict(null, reason, tally, this.round));
		}
	}

	private void release(boolean announced) {
		this.engine.releases()
			.send(new Releases.Release(this.claim, this.plan.nodes(), this::mayHold, this.start,
					this.plan.nodeTimeout(), Duration.ZERO, announced));
	}

	/**
	 * Whether a node may hold the claim: it said so, or nobody knows.
	 */
	private boolean mayHold(LockNode node) {
		return this.round.tally().unlessRefused().contains(node);
	}

}

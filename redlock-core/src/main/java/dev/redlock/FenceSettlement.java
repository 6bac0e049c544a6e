package dev.redlock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;

/**
 * Settles the fence of a claim that a majority has granted: a number such that on a
 * majority, each at one instant, the key was ours and its counter was exactly that
 * number.
 * <p>
 * Then every later owner, whose majority shares a node with this one, was granted with a
 * higher counter there. Looking at the maximum alone would not do: a counter may only be
 * raised where the key is still ours, and the answer has to be checked.
 */
final class FenceSettlement {

	/**
	 * The fence of a claim whose fence could not be settled.
	 */
	static final long FAILED = -1;

	/**
	 * How often at most owned nodes are asked to raise their counters.
	 */
	static final int MAX_RAISE_ROUNDS = 4;

	private final Engine engine;

	private final LockPlan plan;

	private final Claim claim;

	/** Who granted the claim, and with which counter. */
	private final List<LockNode> owned = new ArrayList<>();

	private final long[] counters;

	private long highest;

	FenceSettlement(Engine engine, LockPlan plan, Claim claim, Tally granted) {
		this.engine = engine;
		this.plan = plan;
		this.claim = claim;
		this.counters = new long[granted.nodes().size()];
		for (int i = 0; i < granted.nodes().size(); i++) {
			if (granted.votes().get(i) instanceof Granted grant) {
				this.counters[this.owned.size()] = grant.fence();
				this.owned.add(granted.nodes().get(i));
				this.highest = Math.max(this.highest, grant.fence());
			}
		}
	}

	/**
	 * Settles the fence, in no further round trip when a majority has the same counter.
	 * @return completes with the fence, or {@link #FAILED}
	 */
	CompletableFuture<Long> settle() {
		List<LockNode> below = new ArrayList<>();
		for (int i = 0; i < this.owned.size(); i++) {
			if (this.counters[i] < this.highest) {
				below.add(this.owned.get(i));
			}
		}
		return raise(this.highest, below, this.owned.size() - below.size(), MAX_RAISE_ROUNDS);
	}

	private CompletableFuture<Long> raise(long fence, List<LockNode> below, int counted, int roundsLeft) {
		int missing = this.plan.quorum().majority() - counted;
		if (missing <= 0) {
			return CompletableFuture.completedFuture(fence);
		}
		if (roundsLeft == 0 || below.size() < missing) {
			return CompletableFuture.completedFuture(FAILED);
		}
		return Round
			.ask(below, missing, this.plan.nodeTimeout(), this.engine.scheduler(),
					(node) -> node.raise(this.claim, fence))
			.decided()
			.thenCompose((tally) -> onRaised(fence, tally, roundsLeft - 1));
	}

	private CompletableFuture<Long> onRaised(long fence, Tally tally, int roundsLeft) {
		if (tally.won()) {
			return CompletableFuture.completedFuture(fence);
		}
		long tooHigh = tally.votes()
			.stream()
			.filter((vote) -> vote instanceof Refused refused && refused.why() == Refusal.TOO_LOW)
			.mapToLong((vote) -> ((Refused) vote).fence())
			.max()
			.orElse(FAILED);
		if (tooHigh < fence) {
			return CompletableFuture.completedFuture(FAILED);
		}
		return raise(tooHigh + 1, this.owned, 0, roundsLeft);
	}

}

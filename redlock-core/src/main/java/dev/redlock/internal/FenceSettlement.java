package dev.redlock.internal;

import java.util.List;
import java.util.function.LongConsumer;

import dev.redlock.spi.Claim;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;

/**
 * The settlement of the fence of a claim that a majority has granted. A fence is settled
 * when a majority has confirmed it: each of these nodes, at one instant, held the key for
 * our claim and had exactly this number as its counter.
 * <p>
 * The majority of every later owner shares a node with this one, and that node grants
 * with a higher counter. Taking the highest counter of the votes would not be enough: a
 * counter may only be raised on a node that still holds the key for us, and its answer
 * must be checked.
 */
final class FenceSettlement {

	/**
	 * Reported instead of a fence that could not be settled.
	 */
	static final long FAILED = -1;

	/**
	 * The highest number of rounds that ask nodes to raise their counters.
	 */
	static final int MAX_RAISE_ROUNDS = 4;

	private final EventLoop loop;

	private final LockPlan plan;

	private final Claim claim;

	private final LongConsumer result;

	/** The nodes that granted the claim. */
	private List<LockNode> owned = List.of();

	private int roundsLeft = MAX_RAISE_ROUNDS;

	/**
	 * Creates a settlement that has not begun.
	 * @param result receives the fence or {@link #FAILED}
	 */
	FenceSettlement(EventLoop loop, LockPlan plan, Claim claim, LongConsumer result) {
		this.loop = loop;
		this.plan = plan;
		this.claim = claim;
		this.result = result;
	}

	/**
	 * Settles the fence. Needs no further round trip if a majority has the same counter.
	 * @param granted the votes that granted the claim
	 */
	void settle(Tally granted) {
		long highest = granted.max((vote) -> (vote instanceof Granted grant) ? grant.fence() : FAILED);
		this.owned = granted.nodesWith(Granted.class::isInstance);
		List<LockNode> below = granted.nodesWith((vote) -> vote instanceof Granted grant && grant.fence() < highest);
		raise(highest, below, this.owned.size() - below.size());
	}

	private void raise(long fence, List<LockNode> below, int counted) {
		int missing = this.plan.quorum().majority() - counted;
		if (missing <= 0) {
			this.result.accept(fence);
		}
		else if (this.roundsLeft == 0 || below.size() < missing) {
			this.result.accept(FAILED);
		}
		else {
			this.roundsLeft--;
			new Round(below, missing, this.loop, new Round.Listener() {
				@Override
				public void decided(Tally tally) {
					raised(fence, tally);
				}
			}).ask(this.plan.nodeTimeout(), (node) -> node.raise(this.claim, fence));
		}
	}

	private void raised(long fence, Tally tally) {
		if (tally.won()) {
			this.result.accept(fence);
			return;
		}
		long tooHigh = tally.max((vote) -> (vote instanceof Refused refused && refused.why() == Refusal.TOO_LOW)
				? refused.fence() : FAILED);
		if (tooHigh < fence) {
			this.result.accept(FAILED);
		}
		else {
			raise(tooHigh + 1, this.owned, 0);
		}
	}

}

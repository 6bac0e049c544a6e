package dev.redlock.internal;

import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;

import dev.redlock.spi.Claim;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote.Granted;

/**
 * The settlement of the fence of a claim that a majority has granted. The fence is the
 * highest counter of the grants. The fence is settled when a majority has this number:
 * each of these nodes, at one instant, held the key for our claim and had exactly this
 * number as its counter.
 * <p>
 * The majority of every later owner shares a node with this majority, and the shared node
 * grants with a higher counter. One node with the highest counter is not enough. Nodes
 * that granted with a lower counter are therefore asked to extend the claim, which raises
 * the counter if the key still belongs to our claim. No other client can have raised the
 * counter meanwhile, because the key belonged to our claim.
 */
final class FenceSettlement {

	/**
	 * The result if the nodes did not agree on a fence.
	 */
	static final long FAILED = -1;

	/**
	 * A ttl so short that the extension raises counters, but makes no key expire later.
	 */
	private static final Duration PROLONGS_NOTHING = Duration.ofMillis(1);

	private FenceSettlement() {
	}

	/**
	 * Settles the fence. No further round trip is needed if a majority has the same
	 * counter.
	 * @param granted the votes that granted the claim
	 * @param result receives the fence or {@link #FAILED}
	 */
	static void settle(EventLoop loop, LockPlan plan, Claim claim, Tally granted, LongConsumer result) {
		long fence = granted.max((vote) -> (vote instanceof Granted grant) ? grant.fence() : FAILED);
		List<LockNode> level = granted.nodesWith((vote) -> vote instanceof Granted grant && grant.fence() == fence);
		List<LockNode> below = granted.nodesWith((vote) -> vote instanceof Granted grant && grant.fence() < fence);
		int missing = plan.majority() - level.size();
		if (missing <= 0) {
			result.accept(fence);
			return;
		}
		Claim same = claim.withTtl(PROLONGS_NOTHING);
		new Round(below, missing, loop, new Round.Listener() {
			@Override
			public void decided(Tally tally) {
				result.accept(tally.won() ? fence : FAILED);
			}
		}).ask(plan.nodeTimeout(), (node) -> node.extend(same, fence));
	}

}

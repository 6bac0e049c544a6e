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
 * highest counter of the grants. It is settled when a majority has it: each of these
 * nodes, at one instant, held the key for our claim and had exactly this number as its
 * counter.
 * <p>
 * The majority of every later owner shares a node with this one, and that node grants
 * with a higher counter. It is not enough that one node has the highest counter. So nodes
 * that granted with a lower counter are asked to extend the claim, which raises the
 * counter if the key is still ours. No other client can have raised it meanwhile, because
 * the key was ours.
 */
final class FenceSettlement {

	/**
	 * Reported instead of a fence that could not be settled.
	 */
	static final long FAILED = -1;

	/**
	 * A ttl so short that the extension prolongs no key, because a lease lasts from its
	 * first request.
	 */
	private static final Duration PROLONGS_NOTHING = Duration.ofMillis(1);

	private FenceSettlement() {
	}

	/**
	 * Settles the fence. Needs no further round trip if a majority has the same counter.
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

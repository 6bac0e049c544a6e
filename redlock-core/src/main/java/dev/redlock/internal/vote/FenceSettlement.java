package dev.redlock.internal.vote;

import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;

import dev.redlock.internal.plan.LockPlan;
import dev.redlock.spi.Claim;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote.Granted;

/**
 * Makes a majority of the nodes store the same fence for a lock that they have granted.
 * The fence is the highest counter that a node returned with its grant.
 * <p>
 * Every later owner of the lock gets a higher fence, because its majority contains a node
 * that stored this fence. Each node with a counter below the fence is asked to extend the
 * lock key, which raises the counter. While the owner holds the key on a node, no other
 * client can raise the node's counter.
 */
final class FenceSettlement {

	static final long FAILED = -1;

	/**
	 * A ttl so short that an extension raises the counter of a node, but makes no key
	 * expire later.
	 */
	private static final Duration PROLONGS_NOTHING = Duration.ofMillis(1);

	private FenceSettlement() {
	}

	/**
	 * Asks no node if the counters of a majority already equal the fence.
	 * @param result receives the fence when a majority stores it, or {@link #FAILED} if
	 * too few nodes raised their counters
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
		new Round(below, missing, loop, (tally) -> result.accept(tally.won() ? fence : FAILED)).ask(plan.nodeTimeout(),
				(node) -> node.extend(same, fence));
	}

}

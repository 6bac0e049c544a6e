package dev.redlock.internal;

import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;

import dev.redlock.spi.Claim;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote.Granted;

/**
 * Settles the fence of a lock that a majority of the nodes has granted. The fence is the
 * highest counter that a node returned with its grant. The fence is settled when each
 * node of a majority holds the key for the owner and has the fence as its counter.
 * <p>
 * Every later owner gets a higher fence, because any two majorities share a node, which
 * raises its counter. Nodes with a lower counter are asked to extend the key, which
 * raises their counter to the fence. While the owner holds the key, no other client can
 * raise the counter.
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
	 * Settles the fence, without a further round if a majority has the highest counter.
	 * @param result receives the fence, or {@link #FAILED} if too few nodes could raise
	 * their counters
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

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
 * highest counter that a node returned with its grant. The fence is settled when each
 * node of a majority holds the key for the claim and has the fence as its counter.
 * <p>
 * The majority of every later owner shares a node with the majority that settled the
 * fence. The shared node raises its counter for the later owner, so every later owner has
 * a higher fence. If only a minority has the highest counter, the nodes with a lower
 * counter are asked to extend the claim. An extension raises the counter of a node if the
 * claim still holds the key. While the claim holds the key, no other client can raise the
 * counter.
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
	 * Settles the fence, without a further round trip if a majority has the highest
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

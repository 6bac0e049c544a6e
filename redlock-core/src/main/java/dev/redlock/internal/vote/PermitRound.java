package dev.redlock.internal.vote;

import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.internal.plan.LockPlan;
import dev.redlock.internal.vote.Verdict.FailedFor;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Seen;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a free permit, with one command for each node. Each permit is a lock with a
 * key and a token of its own, so a resource never has more owners than permits.
 */
public final class PermitRound implements Round.Listener {

	private final LockPlan plan;

	private final PermitSlots slots;

	private final BiConsumer<@Nullable LockPlan, FailedFor> listener;

	private final Round round;

	private boolean over;

	private PermitRound(LockContext context, LockPlan plan, PermitSlots slots,
			BiConsumer<@Nullable LockPlan, FailedFor> listener) {
		this.plan = plan;
		this.slots = slots;
		this.listener = listener;
		this.round = new Round(plan.nodes(), plan.majority(), context.loop(), this);
	}

	/**
	 * Asks the nodes which permits are free.
	 * @param listener receives a request for a free permit that is reserved for the
	 * caller, or null if no permit is free
	 */
	public static void findFree(LockContext context, LockPlan plan, PermitSlots slots,
			BiConsumer<@Nullable LockPlan, FailedFor> listener) {
		List<String> keys = plan.slotKeys(plan.permits());
		new PermitRound(context, plan, slots, listener).round.ask(plan.nodeTimeout(), (node) -> node.inspectAll(keys));
	}

	/**
	 * Ends the round when a permit is free on a majority, when each permit has an owner,
	 * or when all nodes have answered.
	 */
	@Override
	public void changed(boolean complete) {
		Tally tally = this.round.tally();
		if (this.over || (!complete && tally.count(Seen.class::isInstance) < tally.needed())) {
			return;
		}
		List<Tally> each = IntStream.range(0, this.plan.permits()).mapToObj(tally::of).toList();
		List<Integer> free = IntStream.rangeClosed(1, each.size())
			.filter((slot) -> each.get(slot - 1).won())
			.boxed()
			.toList();
		if (!free.isEmpty()) {
			LockPlan chosen = this.slots.choose(this.plan, free);
			end(chosen, (chosen != null) ? Reason.SPLIT_VOTE : Reason.HELD, each.get(free.get(0) - 1));
			return;
		}
		Tally split = each.stream().filter((one) -> one.whyNotWon() != Reason.HELD).findFirst().orElse(null);
		if (split == null) {
			end(null, Reason.HELD, firstToEnd(each));
		}
		else if (complete) {
			end(null, split.whyNotWon(), split);
		}
	}

	private void end(@Nullable LockPlan chosen, Reason reason, Tally tally) {
		this.over = true;
		for (Vote vote : this.round.tally().votes()) {
			if (vote instanceof Seen seen) {
				seen.keys().forEach((key) -> this.slots.warnIfPermitsDiffer(this.plan, key));
			}
		}
		this.listener.accept(chosen, new FailedFor(reason, tally));
	}

	/**
	 * Returns the votes on the permit that expires first; an unknown time of expiry
	 * counts as the earliest.
	 */
	private static Tally firstToEnd(List<Tally> each) {
		return each.stream()
			.min(Comparator.comparing(Tally::shortestRemaining, Comparator.nullsFirst(Comparator.naturalOrder())))
			.orElseThrow();
	}

}

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
public final class PermitRound {

	private PermitRound() {
	}

	/**
	 * Asks the nodes which permits are free, until a permit is free on a majority, each
	 * permit has an owner, or all nodes have answered.
	 * @param listener receives a request for a free permit that is reserved for the
	 * caller, or null if no permit is free
	 */
	public static void findFree(LockContext context, LockPlan plan, PermitSlots slots,
			BiConsumer<@Nullable LockPlan, FailedFor> listener) {
		List<String> keys = plan.slotKeys(plan.permits());
		new Round(plan.nodes(), plan.majority(), context.loop(), (tally) -> suffices(plan, tally),
				(tally) -> choose(plan, slots, tally, listener))
			.ask(plan.nodeTimeout(), (node) -> node.inspectAll(keys));
	}

	private static boolean suffices(LockPlan plan, Tally tally) {
		if (tally.count(Seen.class::isInstance) < tally.needed()) {
			return false;
		}
		List<Tally> each = each(plan, tally);
		return each.stream().anyMatch(Tally::won) || each.stream().allMatch((one) -> one.whyNotWon() == Reason.HELD);
	}

	private static void choose(LockPlan plan, PermitSlots slots, Tally tally,
			BiConsumer<@Nullable LockPlan, FailedFor> listener) {
		for (Vote vote : tally.votes()) {
			if (vote instanceof Seen seen) {
				seen.keys().forEach((key) -> slots.warnIfPermitsDiffer(plan, key));
			}
		}
		List<Tally> each = each(plan, tally);
		List<Integer> free = IntStream.rangeClosed(1, each.size())
			.filter((slot) -> each.get(slot - 1).won())
			.boxed()
			.toList();
		if (!free.isEmpty()) {
			LockPlan chosen = slots.choose(plan, free);
			listener.accept(chosen,
					new FailedFor((chosen != null) ? Reason.SPLIT_VOTE : Reason.HELD, each.get(free.get(0) - 1)));
			return;
		}
		Tally failed = each.stream()
			.filter((one) -> one.whyNotWon() != Reason.HELD)
			.findFirst()
			.orElseGet(() -> firstToEnd(each));
		listener.accept(null, new FailedFor(failed.whyNotWon(), failed));
	}

	private static List<Tally> each(LockPlan plan, Tally tally) {
		return IntStream.range(0, plan.permits()).mapToObj(tally::of).toList();
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

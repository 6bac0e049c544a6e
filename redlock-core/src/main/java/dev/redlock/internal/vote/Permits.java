package dev.redlock.internal.vote;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.internal.plan.LockPlan;
import dev.redlock.internal.plan.Tokens;
import dev.redlock.internal.vote.Verdict.FailedFor;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Seen;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds free permits, and keeps two requests of this process from asking for the same
 * permit. Each permit is a lock with a key and a token of its own, so a resource never
 * has more owners than permits.
 */
public final class Permits {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.lease");

	private static final int MOST_WARNINGS = 100;

	private final EventLoop loop;

	private final RandomGenerator random;

	private final Set<String> reserved = new HashSet<>();

	private final Set<String> warned = new HashSet<>();

	public Permits(EventLoop loop, RandomGenerator random) {
		this.loop = loop;
		this.random = random;
	}

	/**
	 * Asks the nodes which permits are free, with one command for each node, or for each
	 * hash slot of a cluster, until a permit is free on a majority, each permit has an
	 * owner, or all nodes have answered.
	 * @param found receives the request for a free permit, which is reserved for the
	 * caller until the acquisition of the permit ends
	 */
	public void findFree(LockPlan plan, Consumer<LockPlan> found, Consumer<FailedFor> noneFree) {
		List<String> keys = plan.slotKeys(plan.permits());
		new Round(plan.nodes(), plan.majority(), this.loop, (tally) -> suffices(plan, tally),
				(tally) -> choose(plan, tally, found, noneFree))
			.ask(plan.nodeTimeout(), (node) -> node.inspectAll(keys));
	}

	public void unreserve(LockPlan slot) {
		if (slot.permits() > 0) {
			this.reserved.remove(slot.keys().get(0));
		}
	}

	private static boolean suffices(LockPlan plan, Tally tally) {
		if (tally.count(Seen.class::isInstance) < tally.needed()) {
			return false;
		}
		List<Tally> each = each(plan, tally);
		return each.stream().anyMatch(Tally::won) || each.stream().allMatch((one) -> one.whyNotWon() == Reason.HELD);
	}

	private void choose(LockPlan plan, Tally tally, Consumer<LockPlan> found, Consumer<FailedFor> noneFree) {
		for (Vote vote : tally.votes()) {
			if (vote instanceof Seen seen) {
				seen.keys().forEach((key) -> warnIfPermitsDiffer(plan, key));
			}
		}
		List<Tally> each = each(plan, tally);
		List<Integer> free = IntStream.rangeClosed(1, each.size())
			.filter((slot) -> each.get(slot - 1).won())
			.boxed()
			.toList();
		LockPlan chosen = reserve(plan, free);
		if (chosen != null) {
			found.accept(chosen);
		}
		else if (!free.isEmpty()) {
			noneFree.accept(new FailedFor(Reason.HELD, each.get(free.get(0) - 1)));
		}
		else {
			Tally failed = each.stream()
				.filter((one) -> one.whyNotWon() != Reason.HELD)
				.findFirst()
				.orElseGet(() -> firstToEnd(each));
			noneFree.accept(new FailedFor(failed.whyNotWon(), failed));
		}
	}

	/**
	 * Returns null if no permit is free, or if all free permits are reserved for other
	 * requests of this process.
	 */
	private @Nullable LockPlan reserve(LockPlan plan, List<Integer> free) {
		List<LockPlan> left = free.stream()
			.map(plan::slot)
			.filter((slot) -> !this.reserved.contains(slot.keys().get(0)))
			.toList();
		if (left.isEmpty()) {
			return null;
		}
		LockPlan chosen = left.get(this.random.nextInt(left.size()));
		this.reserved.add(chosen.keys().get(0));
		return chosen;
	}

	private void warnIfPermitsDiffer(LockPlan plan, Vote vote) {
		String label = (vote instanceof Vote.Refused refused) ? refused.holder() : null;
		if (label == null || label.endsWith(Tokens.permitLabel(plan.permits()))) {
			return;
		}
		int others = Tokens.permits(label);
		if (others > 0 && this.warned.size() < MOST_WARNINGS && this.warned.add(plan.keys().get(0) + " " + others)) {
			logger.warn(
					"For the lock on {}, another client sets permits = {} and this client sets permits = {}, so up to "
							+ "the larger number of owners can work at a time. Set the same number of permits on all "
							+ "clients.",
					plan.resources(), others, plan.permits());
		}
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

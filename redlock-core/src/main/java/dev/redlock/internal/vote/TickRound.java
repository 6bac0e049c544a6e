package dev.redlock.internal.vote;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.Tick;
import dev.redlock.internal.plan.LockPlan;
import dev.redlock.internal.vote.Verdict.FailedFor;
import dev.redlock.spi.Claim;
import dev.redlock.spi.Vote.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Asks all nodes whether a job has run for a due time ({@link Tick}), or records the run.
 * Two owners cannot both record a run, because two majorities share a node, which accepts
 * only one owner.
 * <p>
 * A round that records a run is repeated if it has no majority, which is safe because a
 * node grants the same owner's record again. If every round fails, perhaps no process can
 * run the job, because some nodes now refuse all other owners.
 *
 * @param marks whether a node that grants records the run
 * @param readsOnly whether the round only looks, before the lock is requested
 * @param mayAskAgain whether the round may be repeated, asked after a pause
 * @param listener receives null if the job may run
 */
public record TickRound(LockContext context, LockPlan plan, Claim claim, boolean marks, boolean readsOnly,
		BooleanSupplier mayAskAgain, Consumer<@Nullable FailedFor> listener) {

	private static final String NOT_HOLDING = "-";

	/**
	 * Checks, before the lock is requested, whether the job has already run for the due
	 * time.
	 */
	public static void checkTaken(LockContext context, LockPlan plan, Consumer<@Nullable FailedFor> listener) {
		new TickRound(context, plan, plan.claim(NOT_HOLDING), false, true, () -> false, listener).ask(1, false);
	}

	/**
	 * Records that the job runs, after its lock was granted. With {@link Tick#rerun()},
	 * only checks that the job has not run yet.
	 */
	static void settle(LockContext context, LockPlan plan, Claim claim, BooleanSupplier mayAskAgain,
			Consumer<@Nullable FailedFor> listener) {
		new TickRound(context, plan, claim, plan.marksTickFirst(), false, mayAskAgain, listener)
			.ask(LockPlan.MOST_TICK_ROUNDS, false);
	}

	/**
	 * Records that the job has run, in a single round, because the release of the lock
	 * follows at once.
	 */
	public static void markDone(LockContext context, LockPlan plan, Claim claim,
			Consumer<@Nullable FailedFor> listener) {
		new TickRound(context, plan, claim, true, false, () -> false, listener).ask(1, false);
	}

	private void ask(int rounds, boolean mayBeMarked) {
		Tick tick = Objects.requireNonNull(this.plan.tick());
		new Round(this.plan.nodes(), this.plan.majority(), this.context.loop(), this::suffices,
				(tally) -> decided(tally, rounds - 1, mayBeMarked))
			.ask(this.plan.nodeTimeout(), (node) -> node.tick(this.claim, tick, this.marks));
	}

	private boolean suffices(Tally tally) {
		return tally.won() || isTaken(tally) || (this.readsOnly && tally.isBlockedBy(Tally.refusedAs(Refusal.LOST)));
	}

	private boolean isTaken(Tally tally) {
		return tally.count(Tally.refusedAs(Refusal.TAKEN)) >= this.plan.majority();
	}

	private void decided(Tally tally, int roundsLeft, boolean wasMarked) {
		boolean mayBeMarked = wasMarked || (this.marks && !tally.unlessRefused().isEmpty());
		if (tally.won()) {
			this.listener.accept(null);
		}
		else if (isTaken(tally)) {
			this.listener.accept(new FailedFor(Reason.TICK_TAKEN, tally));
		}
		else if (!this.readsOnly && tally.isBlockedBy(Tally.refusedAs(Refusal.TAKEN))) {
			// So many nodes have recorded other owners that this owner cannot get a
			// majority.
			this.listener.accept(new FailedFor(Reason.TICK_LOST, tally));
		}
		else if (tally.isBlockedBy(Tally.refusedAs(Refusal.LOST)) || roundsLeft == 0) {
			endUndecided(tally, mayBeMarked);
		}
		else {
			this.context.loop().schedule(this.plan.nodeTimeout(), () -> {
				// The request may have ended, or its lock may have expired, during the
				// pause between two rounds.
				if (this.mayAskAgain.getAsBoolean()) {
					ask(roundsLeft, mayBeMarked);
				}
				else {
					endUndecided(tally, mayBeMarked);
				}
			});
		}
	}

	private void endUndecided(Tally tally, boolean mayBeMarked) {
		this.listener.accept(new FailedFor(mayBeMarked ? Reason.TICK_LOST : tally.whyNotWon(), tally));
	}

}

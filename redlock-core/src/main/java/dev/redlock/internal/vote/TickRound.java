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
 * A round without a majority is repeated, which is safe because a node grants the same
 * owner's record again. If every round fails, perhaps no process can run the job, because
 * some nodes now refuse all other owners.
 */
public final class TickRound implements Round.Listener {

	private static final String NOT_HOLDING = "-";

	private final LockContext context;

	private final LockPlan plan;

	private final Tick tick;

	private final Claim claim;

	private final boolean marks;

	private final boolean readsOnly;

	private final BooleanSupplier mayAskAgain;

	private final Consumer<@Nullable FailedFor> listener;

	private int roundsLeft;

	private @Nullable Round round;

	private boolean mayBeMarked;

	private boolean over;

	private TickRound(LockContext context, LockPlan plan, Claim claim, boolean marks, int rounds,
			BooleanSupplier mayAskAgain, Consumer<@Nullable FailedFor> listener) {
		this.context = context;
		this.plan = plan;
		this.tick = Objects.requireNonNull(plan.tick());
		this.claim = claim;
		this.marks = marks;
		this.readsOnly = !marks && rounds == 1;
		this.roundsLeft = rounds;
		this.mayAskAgain = mayAskAgain;
		this.listener = listener;
	}

	/**
	 * Checks, before the lock is requested, whether the job has already run for the due
	 * time.
	 */
	public static void checkTaken(LockContext context, LockPlan plan, Consumer<@Nullable FailedFor> listener) {
		new TickRound(context, plan, plan.claim(NOT_HOLDING), false, 1, () -> false, listener).ask();
	}

	/**
	 * Records that the job runs, after its lock was granted. With {@link Tick#rerun()},
	 * only checks that the job has not run yet.
	 * @param listener receives null if the job may run
	 */
	static void settle(LockContext context, LockPlan plan, Claim claim, BooleanSupplier mayAskAgain,
			Consumer<@Nullable FailedFor> listener) {
		new TickRound(context, plan, claim, plan.marksTickFirst(), LockPlan.MOST_TICK_ROUNDS, mayAskAgain, listener)
			.ask();
	}

	/**
	 * Records that the job has run, in a single round, because the release of the lock
	 * follows at once.
	 */
	public static void markDone(LockContext context, LockPlan plan, Claim claim,
			Consumer<@Nullable FailedFor> listener) {
		new TickRound(context, plan, claim, true, 1, () -> false, listener).ask();
	}

	@Override
	public void changed(boolean complete) {
		if (this.over) {
			return;
		}
		Tally tally = Objects.requireNonNull(this.round).tally();
		if (tally.won()) {
			end(null);
		}
		else if (tally.count(Tally.refusedAs(Refusal.TAKEN)) >= this.plan.majority()) {
			end(new FailedFor(Reason.TICK_TAKEN, tally));
		}
		else if (complete || (this.readsOnly && tally.isBlockedBy(Tally.refusedAs(Refusal.LOST)))) {
			notDecided(tally);
		}
	}

	private void ask() {
		this.roundsLeft--;
		this.round = new Round(this.plan.nodes(), this.plan.majority(), this.context.loop(), this);
		this.round.ask(this.plan.nodeTimeout(), (node) -> node.tick(this.claim, this.tick, this.marks));
	}

	private void notDecided(Tally tally) {
		this.mayBeMarked = this.mayBeMarked || (this.marks && !tally.unlessRefused().isEmpty());
		if (!this.readsOnly && tally.isBlockedBy(Tally.refusedAs(Refusal.TAKEN))) {
			// So many nodes have recorded other owners that this owner cannot get a
			// majority.
			end(new FailedFor(Reason.TICK_LOST, tally));
			return;
		}
		if (tally.isBlockedBy(Tally.refusedAs(Refusal.LOST)) || this.roundsLeft == 0) {
			endUndecided(tally);
			return;
		}
		this.context.loop().schedule(this.plan.nodeTimeout(), () -> {
			// The request may have ended, or its lock may have expired, during the pause
			// between two rounds.
			if (this.mayAskAgain.getAsBoolean()) {
				ask();
			}
			else {
				endUndecided(tally);
			}
		});
	}

	private void endUndecided(Tally tally) {
		end(new FailedFor(this.mayBeMarked ? Reason.TICK_LOST : tally.whyNotWon(), tally));
	}

	private void end(@Nullable FailedFor failure) {
		this.over = true;
		this.listener.accept(failure);
	}

}

package dev.redlock.internal;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.Tick;
import dev.redlock.spi.Claim;
import dev.redlock.spi.Vote.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Asks all nodes whether a tick of a job is taken, or marks the tick as taken by one
 * claim. A claim owns the tick once a majority of the nodes has granted its mark. Two
 * majorities share a node, and each node grants a tick to only one claim. Two claims can
 * therefore not own the same tick.
 * <p>
 * A round that does not decide who owns the tick is repeated a few times. A node grants a
 * repeated mark of the same claim again. If no round decides, the tick may be lost for
 * all processes, because some nodes may have marked the tick.
 */
final class TickRound implements Round.Listener {

	private static final String NOT_HOLDING = "-";

	private final LockContext context;

	private final LockPlan plan;

	private final Tick tick;

	private final Claim claim;

	private final boolean marks;

	/** Whether this round only reads the tick, without a claim. */
	private final boolean readsOnly;

	private final BooleanSupplier mayAskAgain;

	private final Consumer<TryResult> listener;

	private int roundsLeft;

	private @Nullable Round round;

	private boolean mayBeMarked;

	private boolean over;

	private TickRound(LockContext context, LockPlan plan, Claim claim, boolean marks, int rounds,
			BooleanSupplier mayAskAgain, Consumer<TryResult> listener) {
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
	 * Checks whether the tick is taken before the nodes are asked for the lock, so that a
	 * request for a taken tick asks for no lock.
	 * @param listener receives {@link Reason#TICK_TAKEN}, or another reason if the nodes
	 * do not show that the tick is taken
	 */
	static void checkTaken(LockContext context, LockPlan plan, Consumer<TryResult> listener) {
		new TickRound(context, plan, plan.claim(NOT_HOLDING), false, 1, () -> false, listener).ask();
	}

	/**
	 * Marks the tick for a claim that a majority has granted. If the tick is marked after
	 * the callback, only checks that the tick is not taken.
	 * @param mayAskAgain whether the request has not ended and its lock has not expired
	 * @param listener receives a result without a reason if the callback may run
	 */
	static void settle(LockContext context, LockPlan plan, Claim claim, BooleanSupplier mayAskAgain,
			Consumer<TryResult> listener) {
		new TickRound(context, plan, claim, plan.marksTickFirst(), LockPlan.MOST_TICK_ROUNDS, mayAskAgain, listener)
			.ask();
	}

	/**
	 * Marks the tick after the callback, by a single round, so that the release of the
	 * lock follows at once.
	 * @param listener receives a result without a reason if a majority marked the tick
	 */
	static void markDone(LockContext context, LockPlan plan, Claim claim, Consumer<TryResult> listener) {
		new TickRound(context, plan, claim, true, 1, () -> false, listener).ask();
	}

	/**
	 * Ends the round as soon as the votes of the nodes show whether the tick is taken.
	 * @param complete whether each node has answered or timed out
	 */
	@Override
	public void changed(boolean complete) {
		if (this.over) {
			return;
		}
		Tally tally = Objects.requireNonNull(this.round).tally();
		if (tally.won()) {
			end(null, tally);
		}
		else if (tally.count(Tally.refusedAs(Refusal.TAKEN)) >= this.plan.majority()) {
			end(Reason.TICK_TAKEN, tally);
		}
		else if (complete || (this.readsOnly && tally.blockedBy(Tally.refusedAs(Refusal.LOST)))) {
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
		if (!this.readsOnly && tally.blockedBy(Tally.refusedAs(Refusal.TAKEN))) {
			// Other claims marked the tick on some nodes, so that no claim can get a
			// majority.
			end(Reason.TICK_LOST, tally);
			return;
		}
		if (tally.blockedBy(Tally.refusedAs(Refusal.LOST)) || this.roundsLeft == 0) {
			endUndecided(tally);
			return;
		}
		this.context.loop().schedule(this.plan.nodeTimeout(), () -> {
			// The request may have ended, or its lock expired, during the pause.
			if (this.mayAskAgain.getAsBoolean()) {
				ask();
			}
			else {
				endUndecided(tally);
			}
		});
	}

	private void endUndecided(Tally tally) {
		end(this.mayBeMarked ? Reason.TICK_LOST : tally.whyNotWon(), tally);
	}

	private void end(@Nullable Reason reason, Tally tally) {
		this.over = true;
		this.listener.accept(new TryResult(null, reason, tally, this.round));
	}

}

package dev.redlock.internal.request;

import java.util.function.Consumer;

import dev.redlock.internal.plan.LockPlan;
import dev.redlock.internal.vote.Acquisition;
import dev.redlock.internal.vote.HandOver;
import dev.redlock.internal.vote.LockContext;
import dev.redlock.internal.vote.Tally;
import dev.redlock.internal.vote.TickRound;
import dev.redlock.internal.vote.Verdict.Failed;
import dev.redlock.internal.vote.Verdict.FailedFor;
import org.jspecify.annotations.Nullable;

/**
 * One try of a request, which claims the lock on all nodes. Before the claim, a try for
 * one run of a job asks whether the job has run, and a try for a permit asks which
 * permits are free. If the claim of the chosen permit fails, the try asks for the free
 * permits and claims one a second time.
 */
final class Try implements Step {

	private final LockContext context;

	private final LockPlan plan;

	private final PendingAttempt request;

	/** Null while the try asks what it can claim. */
	private @Nullable Acquisition claim;

	private boolean abandoned;

	Try(LockContext context, LockPlan plan, PendingAttempt request) {
		this.context = context;
		this.plan = plan;
		this.request = request;
	}

	void start(@Nullable HandOver handOver) {
		if (this.plan.permits() > 0) {
			claimPermit((taken) -> claimPermit(this::refused));
		}
		else if (this.plan.tick() == null || handOver != null) {
			claim(this.plan, handOver, this::refused);
		}
		else {
			TickRound.checkTaken(this.context, this.plan, this::tickChecked);
		}
	}

	/**
	 * Ends the try without calling its request again.
	 */
	void abandon() {
		this.abandoned = true;
		if (this.claim != null) {
			this.claim.abandon();
		}
	}

	@Nullable Tally votes() {
		return (this.claim != null) ? this.claim.votes() : null;
	}

	boolean asksForTick() {
		return this.claim != null && this.claim.asksForTick();
	}

	boolean wasPaused() {
		return this.claim != null && this.claim.wasPaused();
	}

	private void tickChecked(@Nullable FailedFor failure) {
		if (failure != null && failure.endsRequest()) {
			refused(failure);
		}
		else {
			claim(this.plan, null, this::refused);
		}
	}

	private void claimPermit(Consumer<Failed> ifTaken) {
		this.claim = null;
		this.context.permits().findFree(this.plan, (free) -> claim(free, null, ifTaken), this::refused);
	}

	private void claim(LockPlan claimed, @Nullable HandOver handOver, Consumer<Failed> ifRefused) {
		if (this.abandoned) {
			this.context.permits().unreserve(claimed);
			return;
		}
		this.claim = new Acquisition(this.context, claimed, handOver, this.request::won, ifRefused,
				this.request::voted);
		this.claim.start();
	}

	private void refused(Failed failure) {
		if (!this.abandoned) {
			this.request.refused(this, failure);
		}
	}

}

package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * One request for a lock: waits until it is first in this process, then asks the nodes
 * until it wins, the time to wait is over, or the caller gives up.
 */
final class Campaign {

	private final Engine engine;

	private final LockPlan plan;

	private final Deadline deadline;

	private final CompletableFuture<LockAttempt> result = new CompletableFuture<>();

	private final AtomicReference<CampaignPhase> phase = new AtomicReference<>(CampaignPhase.IN_LINE);

	private final Patience patience;

	/** The place in line, or null when a single try passes it by. */
	private volatile @Nullable Turn turn;

	private volatile @Nullable Acquisition current;

	private volatile @Nullable Verdict lastVerdict;

	private volatile int tries;

	private volatile long newsBefore;

	private volatile Scheduler.@Nullable Timeout pause;

	Campaign(Engine engine, LockPlan plan) {
		this.engine = engine;
		this.plan = plan;
		this.deadline = new Deadline(engine, plan, this::onDeadline);
		this.patience = new Patience(engine, plan);
		this.result.whenComplete((attempt, failure) -> end());
	}

	/**
	 * Gets in line, or asks at once when there is no time to wait.
	 */
	void start() {
		Turn place = new Turn(this.engine.lines(), this.plan, this);
		if (this.plan.waits()) {
			getInLine(place);
		}
		else {
			tryOnce(place);
		}
		if (this.result.isDone()) {
			end();
		}
	}

	LockPlan plan() {
		return this.plan;
	}

	/**
	 * Completes with how the request ended. To cancel it is to give up.
	 */
	CompletableFuture<LockAttempt> outcome() {
		return this.result;
	}

	/**
	 * By when there is an outcome if the timers run as they should.
	 */
	Duration bound() {
		return this.deadline.bound();
	}

	/**
	 * Ends without a lease. The releases are on their way before anybody is told.
	 * @return whether it had not ended before
	 */
	boolean giveUp(Reason reason) {
		LockAttempt failed = failed(reason);
		end();
		return this.result.complete(failed);
	}

	LockAttempt failed(Reason reason) {
		Verdict verdict = this.lastVerdict;
		Acquisition acquisition = this.current;
		Turn place = this.turn;
		Tally votes = (verdict != null) ? verdict.latestVotes() : (acquisition != null) ? acquisition.votes() : null;
		if (votes == null && place != null) {
			Verdict before = place.whyWaiting();
			votes = (before != null) ? before.latestVotes() : null;
		}
		return LockAttempt.failed(this.plan.resources(), reason, (votes != null) ? votes.named() : ownVote(),
				this.tries, this.deadline.waited());
	}

	private List<NodeVote> ownVote() {
		HeldLease lease = this.engine.lines().heldHere(this.plan.keys());
		return (lease == null) ? List.of() : List.of(NodeVote.of("this process", lease));
	}

	/**
	 * It is the first in this process now, and may ask after a rest.
	 */
	void onTurn(Duration rest) {
		if (rest.isZero()) {
			if (commit()) {
				ask();
			}
		}
		else if (this.phase.compareAndSet(CampaignPhase.IN_LINE, CampaignPhase.RESTING)) {
			pauseFor(rest);
			Turn place = this.turn;
			if (place != null && place.rest().isZero()) {
				// There was news before this request could hear of it.
				onNews(place.standBack());
			}
		}
	}

	/**
	 * Promises to {@link #ask}, whatever happens meanwhile.
	 */
	boolean commit() {
		return this.phase.compareAndSet(CampaignPhase.IN_LINE, CampaignPhase.ASKING);
	}

	void ask() {
		this.tries++;
		Turn place = this.turn;
		this.newsBefore = (place != null) ? place.news() : 0;
		Acquisition acquisition = new Acquisition(this.engine, this.plan);
		this.current = acquisition;
		acquisition.verdict().thenAccept(this::onVerdict);
		if (this.result.isDone()) {
			acquisition.abandon();
		}
	}

	/**
	 * Something has happened that makes another try worthwhile after a delay. It takes
	 * the place of a delay that was about something before: to keep to that one would be
	 * to ask while those whose turn it is now have the lock.
	 */
	void onNews(Duration delay) {
		this.patience.startAnew();
		if (delay.isZero()) {
			wake();
		}
		else if (this.phase.get() == CampaignPhase.RESTING) {
			pauseFor(delay);
		}
	}

	private void getInLine(Turn place) {
		this.turn = place;
		this.engine.lines().join(place);
		if (this.phase.get() != CampaignPhase.ASKING) {
			this.deadline.watch();
		}
	}

	private void tryOnce(Turn place) {
		if (this.engine.lines().heldHere(this.plan.keys()) != null) {
			this.result.complete(failed(Reason.HELD));
			return;
		}
		if (this.engine.lines().joinIfFree(place)) {
			this.turn = place;
		}
		if (commit()) {
			ask();
		}
	}

	/**
	 * Ends the wait. The first try has as much time as it has without a wait, and ends
	 * the request when it comes to its verdict.
	 */
	private void onDeadline() {
		Verdict last = this.lastVerdict;
		boolean firstTry = this.tries <= 1 || (this.tries == 2 && last != null && last.taughtClocks());
		if (!firstTry || this.phase.get() != CampaignPhase.ASKING) {
			giveUp(lastReason());
			return;
		}
		// A try that comes to no verdict must not keep its request for ever.
		Duration rest = this.plan.longestAttempt().plus(this.plan.nodeTimeout());
		this.pause = this.engine.scheduler().schedule(rest, () -> giveUp(lastReason()));
		if (this.result.isDone()) {
			cancel(this.pause);
		}
	}

	private void onVerdict(Verdict verdict) {
		HeldLease lease = verdict.lease();
		if (lease != null) {
			lease.start(this.turn);
			Duration waited = this.deadline.waited();
			if (!this.result.complete(LockAttempt.won(lease, verdict.votes().named(), this.tries, waited))) {
				lease.releaseAsync();
			}
			return;
		}
		this.lastVerdict = verdict;
		if (this.tries == 1 && verdict.taughtClocks() && !this.result.isDone()) {
			ask();
		}
		else {
			restOrFail(verdict);
		}
	}

	private void restOrFail(Verdict verdict) {
		Turn place = this.turn;
		boolean outOfRetries = this.plan.retryCount() >= 0 && this.tries > this.plan.retryCount();
		boolean hopeless = verdict.reason() == Reason.NO_QUORUM && this.deadline.isHopeless();
		if (place == null || this.deadline.isOver() || outOfRetries || hopeless) {
			// The reason depends on who stands in the way, and not all nodes may have
			// told.
			verdict.whenExplained(() -> this.result.complete(failed(lastReason())));
			return;
		}
		boolean missedNews = place.news() != this.newsBefore;
		Duration rest = missedNews ? place.standBack() : this.patience.rest(verdict, place);
		place.refused(verdict, rest);
		if (!this.phase.compareAndSet(CampaignPhase.ASKING, CampaignPhase.RESTING)) {
			return;
		}
		this.deadline.watch();
		pauseFor(rest);
		if (place.news() != this.newsBefore && !missedNews) {
			onNews(place.standBack());
		}
	}

	private void pauseFor(Duration rest) {
		cancel(this.pause);
		this.pause = this.engine.scheduler().schedule(this.deadline.atMost(rest), this::wake);
		if (this.phase.get() != CampaignPhase.RESTING) {
			cancel(this.pause);
		}
	}

	private void wake() {
		if (this.phase.compareAndSet(CampaignPhase.RESTING, CampaignPhase.ASKING)) {
			cancel(this.pause);
			ask();
		}
	}

	private Reason lastReason() {
		Verdict verdict = this.lastVerdict;
		Turn place = this.turn;
		if (verdict == null && place != null && this.tries == 0) {
			if (this.engine.lines().heldHere(this.plan.keys()) != null) {
				return Reason.HELD;
			}
			verdict = place.whyWaiting();
		}
		Reason reason = (verdict != null) ? verdict.latestReason() : null;
		return (reason != null) ? reason : Reason.TIMED_OUT;
	}

	/**
	 * Ends whatever is under way. A lease that was won keeps its place in line.
	 */
	private void end() {
		CampaignPhase before = this.phase.getAndSet(CampaignPhase.OVER);
		this.deadline.cancel();
		cancel(this.pause);
		Acquisition acquisition = this.current;
		if (acquisition != null) {
			acquisition.abandon();
		}
		Turn place = this.turn;
		if (place != null && place.waiter() != null) {
			place.leave();
		}
	}

	private static void cancel(Scheduler.@Nullable Timeout timer) {
		if (timer != null) {
			timer.cancel();
		}
	}

}

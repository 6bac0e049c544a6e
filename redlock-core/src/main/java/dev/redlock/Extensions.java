package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.redlock.Releases.Release;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;
import org.jspecify.annotations.Nullable;

/**
 * Extends one lease, one round at a time. An extension counts only if a majority agreed
 * within the old validity: later somebody else may have held the lock in between.
 */
final class Extensions {

	private final HeldLease lease;

	/** The extension that the next one follows; nothing before the first. */
	private final AtomicReference<@Nullable CompletableFuture<RenewalOutcome>> last = new AtomicReference<>();

	private volatile boolean planted;

	private volatile Moment lastSent;

	private volatile Duration longestTtl;

	Extensions(HeldLease lease, Moment acquired) {
		this.lease = lease;
		this.lastSent = acquired;
		this.longestTtl = lease.claim().ttl();
	}

	/**
	 * Asks a majority to keep the lease for the ttl from now.
	 */
	CompletableFuture<RenewalOutcome> extend(Duration ttl) {
		return inTurn(() -> {
			if (!this.lease.isValid()) {
				return CompletableFuture.completedFuture(RenewalOutcome.LOST);
			}
			return ask(ttl);
		});
	}

	Moment lastSent() {
		return this.lastSent;
	}

	/**
	 * The longest ttl that a node may have been told.
	 */
	Duration longestTtl() {
		return this.longestTtl;
	}

	/**
	 * Whether the lease was written again on a node that had lost it.
	 */
	boolean planted() {
		return this.planted;
	}

	private CompletableFuture<RenewalOutcome> ask(Duration ttl) {
		LockPlan plan = this.lease.plan();
		Engine engine = this.lease.engine();
		Moment start = Moment.now(engine.ticker());
		this.lastSent = start;
		Claim extended = this.lease.claim().withTtl(plan.toldNodes(ttl));
		if (extended.ttl().compareTo(this.longestTtl) > 0) {
			this.longestTtl = extended.ttl();
		}
		Round round = Round.ask(plan.nodes(), plan.quorum().majority(), plan.nodeTimeout(), engine.scheduler(),
				(node) -> node.extend(extended, this.lease.counter()));
		takeBackIfReleased(extended, plan.nodes(), this.lease.stillToKeep());
		CompletableFuture<RenewalOutcome> outcome = round.decided()
			.thenApply((tally) -> judge(tally, plan.term(start, ttl)));
		outcome.thenCombine(round.settled(), (result, tally) -> {
			if (result == RenewalOutcome.EXTENDED) {
				heal(extended, tally);
			}
			return result;
		});
		return outcome;
	}

	private RenewalOutcome judge(Tally tally, Term term) {
		this.lease.engine().fences().learn(tally);
		if (tally.won() && this.lease.isValid()) {
			this.lease.prolong(term);
			return RenewalOutcome.EXTENDED;
		}
		if (tally.blockedBy(Refused.class::isInstance)) {
			this.lease.lose(LossReason.REFUSED);
			return RenewalOutcome.LOST;
		}
		return this.lease.isValid() ? RenewalOutcome.UNKNOWN : RenewalOutcome.LOST;
	}

	/**
	 * Writes the lease again on nodes that lost it, since a majority has held it without
	 * a gap. Those nodes did not count in this round.
	 */
	private void heal(Claim extended, Tally tally) {
		for (int i = 0; i < tally.nodes().size(); i++) {
			Vote vote = tally.votes().get(i);
			if (vote instanceof Refused refused && refused.why() == Refusal.MISSING && this.lease.isValid()) {
				LockNode node = tally.nodes().get(i);
				this.planted = true;
				node.plant(extended, this.lease.counter());
				takeBackIfReleased(extended, List.of(node), Duration.ZERO);
			}
		}
	}

	/**
	 * A release may have come between the look at the lease and what was written then,
	 * which is behind the release on each connection.
	 * @param keep how long the nodes keep the lock all the same
	 */
	private void takeBackIfReleased(Claim written, List<LockNode> nodes, Duration keep) {
		if (this.lease.state().isReleased()) {
			this.lease.engine()
				.releases()
				.send(new Release(written, nodes, (node) -> true, this.lastSent, this.lease.plan().nodeTimeout(), keep,
						true));
		}
	}

	private CompletableFuture<RenewalOutcome> inTurn(Supplier<CompletableFuture<RenewalOutcome>> extension) {
		CompletableFuture<RenewalOutcome> next = new CompletableFuture<>();
		CompletableFuture<RenewalOutcome> before = this.last.getAndSet(next);
		if (before == null) {
			run(extension, next);
		}
		else {
			before.whenComplete((outcome, failure) -> run(extension, next));
		}
		return next;
	}

	private static void run(Supplier<CompletableFuture<RenewalOutcome>> extension,
			CompletableFuture<RenewalOutcome> next) {
		try {
			extension.get().whenComplete((outcome, failure) -> {
				if (failure != null) {
					next.completeExceptionally(failure);
				}
				else {
					next.complete(outcome);
				}
			});
		}
		catch (RuntimeException ex) {
			next.completeExceptionally(ex);
		}
	}

}

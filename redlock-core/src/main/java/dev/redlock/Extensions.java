package dev.redlock;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

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

	private final Engine engine;

	private final LockPlan plan;

	private final Claim claim;

	private final long fence;

	private final HeldLease lease;

	/** Nearly always nobody. */
	private volatile Set<LockNode> planted = Set.of();

	private final ReentrantLock order = new ReentrantLock();

	/** The extension that the next one follows, or null before the first. */
	private @Nullable CompletableFuture<?> last;

	private volatile Moment lastSent;

	private volatile Duration longestTtl;

	Extensions(Engine engine, LockPlan plan, Claim claim, long fence, HeldLease lease) {
		this.engine = engine;
		this.plan = plan;
		this.claim = claim;
		this.fence = fence;
		this.lease = lease;
		this.lastSent = Moment.now(engine.ticker());
		this.longestTtl = claim.ttl();
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

	boolean plantedOn(LockNode node) {
		return this.planted.contains(node);
	}

	private CompletableFuture<RenewalOutcome> ask(Duration ttl) {
		Moment start = Moment.now(this.engine.ticker());
		this.lastSent = start;
		Claim extended = this.claim.withTtl(this.plan.toldNodes(ttl));
		if (extended.ttl().compareTo(this.longestTtl) > 0) {
			this.longestTtl = extended.ttl();
		}
		Round round = Round.ask(this.plan.nodes(), this.plan.quorum().majority(), this.plan.nodeTimeout(),
				this.engine.scheduler(), (node) -> node.extend(extended, this.fence));
		CompletableFuture<RenewalOutcome> outcome = round.decided()
			.thenApply((tally) -> judge(tally, Term.of(start, ttl, this.plan.driftFactor())));
		outcome.thenCombine(round.settled(), (result, tally) -> {
			if (result == RenewalOutcome.EXTENDED) {
				heal(extended, tally);
			}
			return result;
		});
		return outcome;
	}

	private RenewalOutcome judge(Tally tally, Term term) {
		this.engine.fences().learn(tally);
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
				remember(node);
				node.plant(extended, this.fence);
			}
		}
	}

	private void remember(LockNode node) {
		this.order.lock();
		try {
			Set<LockNode> more = new HashSet<>(this.planted);
			more.add(node);
			this.planted = Set.copyOf(more);
		}
		finally {
			this.order.unlock();
		}
	}

	private CompletableFuture<RenewalOutcome> inTurn(Supplier<CompletableFuture<RenewalOutcome>> extension) {
		this.order.lock();
		try {
			CompletableFuture<?> before = (this.last != null) ? this.last : CompletableFuture.completedFuture(null);
			CompletableFuture<RenewalOutcome> next = before.handle((result, failure) -> result)
				.thenCompose((done) -> extension.get());
			this.last = next;
			return next;
		}
		finally {
			this.order.unlock();
		}
	}

}

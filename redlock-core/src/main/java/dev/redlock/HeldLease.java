package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import org.jspecify.annotations.Nullable;

/**
 * A lease of this process. Its validity is a matter of the clock alone: no flag can keep
 * it alive, and an answer that comes too late changes nothing.
 */
final class HeldLease implements Lease {

	private final Engine engine;

	private final LockPlan plan;

	private final Claim claim;

	private final long fence;

	private final Moment acquired;

	private final List<LockNode> mayHold;

	private final AtomicReference<LeaseState> state = new AtomicReference<>(LeaseState.HELD);

	private final CompletableFuture<LossReason> lost = new CompletableFuture<>();

	private final Extensions extensions;

	private final Renewal renewal;

	private final Expiry expiry;

	private volatile Term term;

	/** The place that it keeps in line until it has ended, if it has one. */
	private volatile @Nullable Turn turn;

	/**
	 * A lease that was just won.
	 * @param mayHold the nodes that may hold it, as far as was known then
	 */
	HeldLease(Engine engine, LockPlan plan, Claim claim, long fence, Moment acquired, List<LockNode> mayHold) {
		this.engine = engine;
		this.plan = plan;
		this.claim = claim;
		this.fence = fence;
		this.acquired = acquired;
		this.mayHold = mayHold;
		this.term = plan.term(acquired);
		this.extensions = new Extensions(this, acquired);
		this.renewal = new Renewal(this);
		this.expiry = new Expiry(this, this.renewal);
	}

	/**
	 * Starts the timers. Apart from the constructor, since they hold on to the lease.
	 * @param place the place in line that it keeps until it has ended
	 */
	void start(@Nullable Turn place) {
		this.turn = place;
		// From here on others may take it away.
		this.engine.held().add(this);
		if (place != null) {
			place.won(this);
		}
		this.expiry.run();
		if (this.plan.renew()) {
			this.renewal.start();
		}
	}

	Engine engine() {
		return this.engine;
	}

	LockPlan plan() {
		return this.plan;
	}

	Claim claim() {
		return this.claim;
	}

	/**
	 * The fence, {@link Claim#UNFENCED} without fences.
	 */
	long counter() {
		return this.fence;
	}

	/**
	 * For how long the lease has been held.
	 */
	long heldNanos() {
		return this.acquired.elapsedNanos(this.engine.ticker());
	}

	/**
	 * How much longer the nodes are to keep the lock, even if it is released.
	 */
	Duration stillToKeep() {
		Duration left = this.plan.atLeast().minusNanos(heldNanos());
		return left.isNegative() ? Duration.ZERO : left;
	}

	/**
	 * For how long the lease is valid, zero or less when it no longer is.
	 */
	long remainingNanos() {
		return state().isOpen() ? this.term.remainingNanos(this.engine.ticker()) : 0;
	}

	LeaseState state() {
		return Objects.requireNonNull(this.state.get());
	}

	Renewal renewal() {
		return this.renewal;
	}

	@Override
	public Set<String> resources() {
		return this.plan.resources();
	}

	@Override
	public String token() {
		return this.claim.token();
	}

	@Override
	public long fence() {
		if (this.fence == Claim.UNFENCED) {
			throw new IllegalStateException("The lease on " + resources()
					+ " has no fence, since fencing is disabled. Set redlock.fencing.enabled=true on every client.");
		}
		return this.fence;
	}

	@Override
	public Duration remaining() {
		return Duration.ofNanos(Math.max(0, remainingNanos()));
	}

	@Override
	public boolean isValid() {
		return remainingNanos() > 0;
	}

	@Override
	public boolean extend(Duration ttl) {
		CompletableFuture<Boolean> extended = extendNow(ttl);
		return Waiting.upTo(this.plan.nodeTimeout().multipliedBy(2), extended) && extended.join();
	}

	@Override
	public CompletionStage<Boolean> extendAsync(Duration ttl) {
		return extendNow(ttl).thenApplyAsync((extended) -> extended, this.engine.callbacks());
	}

	@Override
	public CompletionStage<LossReason> lost() {
		return this.lost.minimalCompletionStage();
	}

	@Override
	public String handOver() {
		if (!isValid() || !this.state.compareAndSet(LeaseState.HELD, LeaseState.handedOver(this.plan.nodes().size()))) {
			throw new IllegalStateException("The lease on " + resources()
					+ " is no longer valid, so it cannot be handed over. Acquire the lock again.");
		}
		withdraw();
		this.engine.held().remove(this);
		holdEnded(HoldEnd.HANDED_OVER);
		return Ticket.of(this.plan, this.claim.token(), this.fence).encode();
	}

	@Override
	public void close() {
		Round round = release();
		if (round != null && this.engine.settings().awaitRelease()) {
			Waiting.upTo(this.plan.nodeTimeout().multipliedBy(2), round.decided());
		}
	}

	@Override
	public CompletionStage<ReleaseResult> releaseAsync() {
		release();
		// Users' code must not run where answers are read; few ask, so few pay for it.
		return Objects.requireNonNull(state().released()).thenApplyAsync((result) -> result, this.engine.callbacks());
	}

	/**
	 * Takes the lease from its holder, who is told why, and releases it.
	 */
	CompletionStage<ReleaseResult> revoke(LossReason reason) {
		lose(reason);
		return releaseAsync();
	}

	/**
	 * Ends the lease before its release. The first reason counts.
	 */
	void lose(LossReason reason) {
		if (!this.state.compareAndSet(LeaseState.HELD, LeaseState.LOST)) {
			return;
		}
		withdraw();
		this.engine.callbacks().execute(() -> {
			this.lost.complete(reason);
			this.engine.tellLost(this, reason);
			holdEnded(HoldEnd.LOST);
		});
	}

	CompletableFuture<RenewalOutcome> renew() {
		return this.extensions.extend(this.plan.ttl());
	}

	/**
	 * Takes a longer term. An extension that would end earlier changes nothing.
	 */
	void prolong(Term candidate) {
		if (candidate.remainingNanos(this.engine.ticker()) > this.term.remainingNanos(this.engine.ticker())) {
			this.term = candidate;
		}
	}

	private CompletableFuture<Boolean> extendNow(Duration ttl) {
		this.engine.settings().checkTtl(ttl, this.plan.driftFactor());
		return this.extensions.extend(ttl).thenApply((outcome) -> outcome == RenewalOutcome.EXTENDED);
	}

	private @Nullable Round release() {
		boolean wasValid = isValid();
		CompletableFuture<ReleaseResult> released = new CompletableFuture<>();
		LeaseState before = this.state
			.getAndUpdate((now) -> (now.released() != null) ? now : LeaseState.released(released));
		if (before.released() != null) {
			return null;
		}
		stopTimers();
		this.engine.held().remove(this);
		boolean wasHeld = before == LeaseState.HELD;
		Round round = new Ending(this, this.extensions, this.mayHold, this.turn)
			.send(wasHeld ? stillToKeep() : Duration.ZERO);
		if (wasHeld) {
			holdEnded(wasValid ? HoldEnd.RELEASED : HoldEnd.LOST);
		}
		round.settled().thenAccept((tally) -> released.complete(ReleaseResult.of(tally, wasValid)));
		return round;
	}

	private void holdEnded(HoldEnd end) {
		Following following = this.plan.following();
		if (following != null) {
			following.holdEnded(this, end);
		}
	}

	/**
	 * Leaves the timers and the line, without a word to the nodes.
	 */
	private void withdraw() {
		stopTimers();
		Turn place = this.turn;
		if (place != null) {
			place.leave();
		}
	}

	private void stopTimers() {
		this.renewal.stop();
		this.expiry.stop();
	}

	/**
	 * Names what is locked, never the token.
	 */
	@Override
	public String toString() {
		return "Lease" + resources() + "[" + state().phase() + ", remaining=" + remaining().toMillis() + " ms]";
	}

}

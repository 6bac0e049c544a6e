package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

import dev.redlock.Releases.Release;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Vote;
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

	private final AtomicReference<State> state = new AtomicReference<>(State.HELD);

	private final CompletableFuture<LossReason> lost = new CompletableFuture<>();

	private final Extensions extensions;

	private final Renewal renewal;

	private volatile Term term;

	private volatile Scheduler.@Nullable Timeout expiry;

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
	}

	/**
	 * Starts the timers. Apart from the constructor, since they hold on to the lease.
	 * @param place the place in line that it keeps until it has ended
	 */
	void start(@Nullable Turn place) {
		this.engine.held().add(this);
		this.turn = place;
		if (place != null) {
			place.won(this);
		}
		watchExpiry();
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
	 * Ends renewal when this thread ends without having released the lease.
	 */
	void ownedBy(Thread owner) {
		this.renewal.ownedBy(owner);
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
		if (!isValid() || !this.state.compareAndSet(State.HELD, State.handedOver(this.plan.nodes().size()))) {
			throw new IllegalStateException("The lease on " + resources()
					+ " is no longer valid, so it cannot be handed over. Acquire the lock again.");
		}
		stopTimers();
		this.engine.held().remove(this);
		leaveLine();
		holdEnded(HoldEnd.HANDED_OVER);
		List<String> nodes = this.plan.nodes().stream().map(LockNode::name).toList();
		return new Ticket(List.copyOf(resources()), nodes, this.claim.token(), this.fence).encode();
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
	 * Tells that the lease is lost and releases what may be left of it.
	 */
	void shutDown() {
		lose(LossReason.SHUT_DOWN);
		release();
	}

	/**
	 * Takes the lease from its holder, who is told, and releases it.
	 */
	CompletionStage<ReleaseResult> revoke() {
		lose(LossReason.REVOKED);
		return releaseAsync();
	}

	LeaseSnapshot snapshot() {
		return new LeaseSnapshot(resources(), this.fence, Duration.ofNanos(heldNanos()), remaining(),
				this.plan.origin());
	}

	/**
	 * Ends the lease before its release. The first reason counts.
	 */
	void lose(LossReason reason) {
		if (!this.state.compareAndSet(State.HELD, State.LOST)) {
			return;
		}
		stopTimers();
		leaveLine();
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
		State before = this.state
			.getAndUpdate((now) -> (now.released() != null) ? now : new State("RELEASED", released));
		if (before.released() != null) {
			return null;
		}
		stopTimers();
		this.engine.held().remove(this);
		Turn place = this.turn;
		Duration keep = (before == State.HELD) ? stillToKeep() : Duration.ZERO;
		// What is kept for a while nobody can have yet, and others should know.
		Succession succession = (place != null && keep.isZero()) ? place.succession() : Succession.NOBODY;
		// Sent behind whatever is still under way on each connection, an extension too.
		Round round = this.engine.releases()
			.send(new Release(this.claim.withTtl(this.extensions.longestTtl()), this.plan.nodes(), this::mayBeHeldBy,
					this.extensions.lastSent(), this.plan.nodeTimeout(), keep, succession.announced()));
		if (place != null) {
			// Behind the release on each connection, and in the same write where it can
			// be.
			this.engine.lines().proceed(place, succession);
			round.decided().thenAccept((tally) -> place.counted(listeners(tally)));
		}
		if (before == State.HELD) {
			holdEnded(wasValid ? HoldEnd.RELEASED : HoldEnd.LOST);
		}
		round.settled().thenAccept((tally) -> {
			int count = tally.count(Vote.Granted.class::isInstance);
			ReleaseResult result = new ReleaseResult(count, this.plan.nodes().size(), wasValid);
			released.complete(result);
		});
		return round;
	}

	private State state() {
		return Objects.requireNonNull(this.state.get());
	}

	private void holdEnded(HoldEnd end) {
		Following following = this.plan.following();
		if (following != null) {
			following.holdEnded(this, end);
		}
	}

	private void leaveLine() {
		Turn place = this.turn;
		if (place != null) {
			place.leave();
		}
	}

	private static int listeners(Tally tally) {
		int most = 0;
		for (Vote vote : tally.votes()) {
			if (vote instanceof Vote.Granted granted) {
				most = Math.max(most, granted.listeners());
			}
		}
		return most;
	}

	private Duration stillToKeep() {
		Duration left = this.plan.atLeast().minusNanos(heldNanos());
		return left.isNegative() ? Duration.ZERO : left;
	}

	private boolean mayBeHeldBy(LockNode node) {
		return this.extensions.planted() || this.mayHold.contains(node);
	}

	private long remainingNanos() {
		return (state() == State.HELD) ? this.term.remainingNanos(this.engine.ticker()) : 0;
	}

	/**
	 * One timer per lease, which looks again when the lease was extended meanwhile.
	 */
	private void watchExpiry() {
		long left = remainingNanos();
		if (state() != State.HELD) {
			return;
		}
		if (left <= 0) {
			lose(this.renewal.reasonOfExpiry());
			return;
		}
		this.expiry = this.engine.scheduler().schedule(Duration.ofNanos(left), this::watchExpiry);
		if (state() != State.HELD) {
			stopTimers();
		}
	}

	private void stopTimers() {
		this.renewal.stop();
		Scheduler.Timeout timer = this.expiry;
		if (timer != null) {
			timer.cancel();
		}
	}

	/**
	 * Names what is locked, never the token.
	 */
	@Override
	public String toString() {
		return "Lease" + resources() + "[" + state().name() + ", remaining=" + remaining().toMillis() + " ms]";
	}

	/**
	 * Where a lease is in its life.
	 *
	 * @param name for people
	 * @param released what came of the release, once there is nothing left to release
	 */
	private record State(String name, @Nullable CompletableFuture<ReleaseResult> released) {

		static final State HELD = new State("HELD", null);

		static final State LOST = new State("LOST", null);

		static State handedOver(int nodes) {
			return new State("HANDED_OVER", CompletableFuture.completedFuture(new ReleaseResult(0, nodes, true)));
		}

	}

}

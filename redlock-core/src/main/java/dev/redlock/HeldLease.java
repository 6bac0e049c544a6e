package dev.redlock;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Scheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lease of this process. Its validity is a matter of the clock alone: no flag can keep
 * it alive, and an answer that comes too late changes nothing.
 * <p>
 * What other threads may read or begin is in {@link #status} and {@link #validity}: the
 * first to release, hand over or lose the lease ends it at once, and the rest is done on
 * the loop.
 */
final class HeldLease implements Lease {

	private static final Logger logger = LoggerFactory.getLogger(HeldLease.class);

	private final LockContext context;

	private final LockPlan plan;

	private final Grant grant;

	private final Set<HeldLease> leases;

	/** The place that it keeps in the queues until it has ended, if it has one. */
	private final @Nullable QueuePlace place;

	private final LeaseExtension extension;

	private final LeaseRenewal renewal;

	private final AtomicReference<Status> status = new AtomicReference<>(Status.HELD);

	private volatile Validity validity;

	private final CompletableFuture<LossReason> lost = new CompletableFuture<>();

	private final CompletableFuture<ReleaseResult> released = new CompletableFuture<>();

	private Scheduler.@Nullable Timeout expiryTimer;

	/**
	 * A lease that was just granted.
	 * @param owner the thread with which its renewal ends, if there is one
	 * @param leases the leases of this process
	 */
	HeldLease(LockContext context, LockPlan plan, Grant grant, @Nullable QueuePlace place,
			@Nullable WeakReference<Thread> owner, Set<HeldLease> leases) {
		this.context = context;
		this.plan = plan;
		this.grant = grant;
		this.place = place;
		this.leases = leases;
		this.validity = plan.validity(grant.start());
		this.extension = new LeaseExtension(this, context);
		this.renewal = new LeaseRenewal(this, context, owner);
	}

	/**
	 * Starts the timers, and lets others see the lease.
	 */
	void start() {
		assert this.context.loop().inLoop();
		this.leases.add(this);
		if (this.place != null) {
			this.place.won(this);
		}
		watchExpiry();
		if (this.plan.renew()) {
			this.renewal.start();
		}
	}

	LockPlan plan() {
		return this.plan;
	}

	Grant grant() {
		return this.grant;
	}

	/**
	 * The fence, {@link Claim#UNFENCED} without fences.
	 */
	long counter() {
		return this.grant.fence();
	}

	/**
	 * For how long the lease has been held.
	 */
	Duration heldFor() {
		return Duration.ofNanos(this.grant.start().elapsedNanos(this.context.ticker()));
	}

	/**
	 * Whether nothing but the clock has ended the lease so far.
	 */
	boolean isOpen() {
		return status().phase == Phase.HELD;
	}

	@Override
	public Set<String> resources() {
		return this.plan.resources();
	}

	@Override
	public String token() {
		return this.grant.claim().token();
	}

	@Override
	public long fence() {
		if (counter() == Claim.UNFENCED) {
			throw new IllegalStateException("The lease on " + resources()
					+ " has no fence, since fencing is disabled. Set redlock.fencing.enabled=true on every client.");
		}
		return counter();
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
		Waiting.checkMayWait(this.context.loop());
		CompletableFuture<Boolean> extended = extendNow(ttl);
		return Waiting.upTo(this.plan.nodeTimeout().multipliedBy(2), extended) && extended.join();
	}

	@Override
	public CompletionStage<Boolean> extendAsync(Duration ttl) {
		return extendNow(ttl).thenApplyAsync((extended) -> extended, this.context.callbacks());
	}

	@Override
	public CompletionStage<LossReason> lost() {
		// Known before the executor for callbacks has come to tell it.
		LossReason reason = status().reason;
		return (reason != null) ? CompletableFuture.completedStage(reason) : this.lost.minimalCompletionStage();
	}

	@Override
	public String handOver() {
		if (!isValid() || !this.status.compareAndSet(Status.HELD, Status.HANDED_OVER)) {
			throw new IllegalStateException("The lease on " + resources()
					+ " is no longer valid, so it cannot be handed over. Acquire the lock again.");
		}
		this.leases.remove(this);
		this.released.complete(new ReleaseResult(0, this.plan.nodes().size(), true));
		CompletableFuture<Void> nothingUnderWay = new CompletableFuture<>();
		boolean mayWait = !this.context.loop().inLoop();
		boolean posted = this.context.loop().post(() -> {
			withdraw();
			this.extension.whenNothingIsWritten(() -> nothingUnderWay.complete(null));
		});
		// What is written behind the ticket would stand in the way of its owner.
		if (posted && mayWait && !Waiting.upTo(this.plan.nodeTimeout(), nothingUnderWay)) {
			this.context.loop().post(this.extension::undoWrites);
		}
		notifyEnd(HoldEnd.HANDED_OVER);
		return Ticket.of(this.plan, token(), counter()).encode();
	}

	@Override
	public void close() {
		boolean waits = this.context.settings().awaitRelease() && !this.context.loop().inLoop();
		CompletableFuture<Void> confirmed = waits ? new CompletableFuture<>() : null;
		if (release(confirmed) && confirmed != null) {
			Waiting.upTo(this.plan.nodeTimeout().multipliedBy(2), confirmed);
		}
	}

	@Override
	public CompletionStage<ReleaseResult> releaseAsync() {
		release(null);
		return this.released.thenApplyAsync((result) -> result, this.context.callbacks());
	}

	/**
	 * Takes the lease from its holder, who is told why, and releases it.
	 */
	CompletionStage<ReleaseResult> revoke(LossReason reason) {
		if (this.status.compareAndSet(Status.HELD, new Status(Phase.LOST, reason))) {
			notifyLoss(reason);
		}
		return releaseAsync();
	}

	/**
	 * Ends the lease before its release. The first reason counts.
	 */
	void lose(LossReason reason) {
		if (this.status.compareAndSet(Status.HELD, new Status(Phase.LOST, reason))) {
			withdraw();
			notifyLoss(reason);
		}
	}

	/**
	 * Takes a longer validity. An extension that would end earlier changes nothing.
	 */
	void prolong(Validity candidate) {
		if (candidate.remainingNanos(this.context.ticker()) > this.validity.remainingNanos(this.context.ticker())) {
			this.validity = candidate;
		}
	}

	void extend(Duration ttl, LeaseExtension.Listener listener) {
		this.extension.extend(ttl, listener);
	}

	private CompletableFuture<Boolean> extendNow(Duration ttl) {
		this.context.settings().checkTtl(ttl, this.plan.driftFactor());
		CompletableFuture<Boolean> extended = new CompletableFuture<>();
		boolean posted = this.context.loop()
			.post(() -> this.extension.extend(ttl, (outcome) -> extended.complete(outcome == RenewalOutcome.EXTENDED)));
		return posted ? extended : CompletableFuture.completedFuture(false);
	}

	/**
	 * Ends the lease at once, and has it released.
	 * @param confirmed completes when a majority has confirmed; null if nothing waits for
	 * that
	 * @return whether there was anything to release
	 */
	private boolean release(@Nullable CompletableFuture<Void> confirmed) {
		boolean wasValid = isValid();
		Duration keep = keepFor();
		Status before = this.status.getAndUpdate((now) -> now.isOver() ? now : new Status(Phase.RELEASED, now.reason));
		if (before.isOver()) {
			return false;
		}
		this.leases.remove(this);
		boolean wasHeld = before.phase == Phase.HELD;
		if (!this.context.loop().post(() -> sendRelease(wasHeld ? keep : Duration.ZERO, wasValid, confirmed))) {
			// The connections are closed too: the nodes forget the lease after its ttl.
			this.released.complete(new ReleaseResult(0, this.plan.nodes().size(), wasValid));
			if (confirmed != null) {
				confirmed.complete(null);
			}
		}
		if (wasHeld) {
			notifyEnd(wasValid ? HoldEnd.RELEASED : HoldEnd.LOST);
		}
		return true;
	}

	/**
	 * Sends the release, behind whatever is still under way on each connection, and lets
	 * the next request of this process ask behind it.
	 */
	private void sendRelease(Duration keep, boolean wasValid, @Nullable CompletableFuture<Void> confirmed) {
		stopTimers();
		// What is kept for a while cannot be had yet, and others should know.
		QueuePlace next = (this.place != null && keep.isZero()) ? this.place.handOver() : null;
		Claim claim = this.grant.claim().withTtl(this.extension.longestTtl());
		Releases.Release release = new Releases.Release(claim, this.plan.nodes(), this::mayBeHeldBy,
				this.extension.lastSent(), this.plan.nodeTimeout(), keep, next == null);
		this.context.releases().send(release, new Round.Listener() {
			@Override
			public void decided(Tally tally) {
				if (HeldLease.this.place != null) {
					HeldLease.this.place.releaseAnswered(tally);
				}
				if (confirmed != null) {
					confirmed.complete(null);
				}
			}

			@Override
			public void settled(Tally tally) {
				HeldLease.this.released.complete(ReleaseResult.of(tally, wasValid));
			}
		});
		if (next != null) {
			// Behind the release on each connection, and in the same write.
			next.askNow();
		}
		else if (this.place != null) {
			this.place.released();
		}
	}

	private boolean mayBeHeldBy(LockNode node) {
		return this.extension.hasRestored() || this.grant.mayHold().contains(node);
	}

	/**
	 * How much longer the nodes are to keep the lock, even if it is released.
	 */
	private Duration keepFor() {
		Duration left = this.plan.atLeast().minus(heldFor());
		return left.isNegative() ? Duration.ZERO : left;
	}

	private long remainingNanos() {
		return isOpen() ? this.validity.remainingNanos(this.context.ticker()) : 0;
	}

	private Status status() {
		return Objects.requireNonNull(this.status.get());
	}

	/**
	 * Looks whether there is validity left, and looks again when that is over: an
	 * extension costs no timer of its own.
	 */
	private void watchExpiry() {
		long left = remainingNanos();
		if (!isOpen()) {
			return;
		}
		if (left <= 0) {
			lose(this.renewal.reasonOfExpiry());
		}
		else {
			this.expiryTimer = this.context.loop().schedule(Duration.ofNanos(left), this::watchExpiry);
		}
	}

	/**
	 * Leaves the timers and the queues, without a word to the nodes.
	 */
	private void withdraw() {
		stopTimers();
		if (this.place != null) {
			this.place.leave();
		}
	}

	private void stopTimers() {
		this.renewal.stop();
		if (this.expiryTimer != null) {
			this.expiryTimer.cancel();
		}
	}

	private void notifyLoss(LossReason reason) {
		this.context.callbacks().execute(() -> {
			this.lost.complete(reason);
			try {
				this.context.listener().leaseLost(this, reason);
			}
			catch (Throwable ex) {
				logger.warn("A listener failed when told that the lock on {} was lost", resources(), ex);
			}
			notifyEnd(HoldEnd.LOST);
		});
	}

	private void notifyEnd(HoldEnd end) {
		RequestNotifier notifier = this.plan.notifier();
		if (notifier != null) {
			notifier.holdEnded(this, end);
		}
	}

	/**
	 * Names what is locked, never the token.
	 */
	@Override
	public String toString() {
		return "Lease" + resources() + "[" + status().phase + ", remaining=" + remaining().toMillis() + " ms]";
	}

	private enum Phase {

		HELD, LOST, RELEASED, HANDED_OVER

	}

	/**
	 * What has happened to the lease. Says nothing of its validity.
	 *
	 * @param phase what has happened
	 * @param reason why it was lost, if it was
	 */
	private record Status(Phase phase, @Nullable LossReason reason) {

		private static final Status HELD = new Status(Phase.HELD, null);

		private static final Status HANDED_OVER = new Status(Phase.HANDED_OVER, null);

		/**
		 * Whether there is nothing left to release.
		 */
		private boolean isOver() {
			return this.phase == Phase.RELEASED || this.phase == Phase.HANDED_OVER;
		}

	}

}

package dev.redlock.internal.lease;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

import dev.redlock.Lease;
import dev.redlock.LeaseSnapshot;
import dev.redlock.LockLostException;
import dev.redlock.LossReason;
import dev.redlock.ReleaseResult;
import dev.redlock.RequestListener.HoldEnd;
import dev.redlock.RequestListener.RenewalOutcome;
import dev.redlock.internal.lease.LeaseExtension.Sent;
import dev.redlock.internal.plan.LockPlan;
import dev.redlock.internal.plan.RequestNotifier;
import dev.redlock.internal.plan.Ticket;
import dev.redlock.internal.plan.Validity;
import dev.redlock.internal.vote.Grant;
import dev.redlock.internal.vote.LockContext;
import dev.redlock.internal.waiting.KeyQueue;
import dev.redlock.internal.waiting.KeyQueue.Waiter;
import dev.redlock.internal.waiting.Waiting;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Scheduler.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * A lease of this process. The validity ends by the clock at the latest: no flag and no
 * late answer of a node can prolong it.
 * <p>
 * Any thread may read the lease, and may end it by setting its status; the event loop
 * then sends the release and stops the timers. Threads other than the event loop read
 * only fields that are final, atomic, volatile or a future.
 */
public final class HeldLease implements Lease {

	private final LockContext context;

	private final LockPlan plan;

	private final Grant grant;

	private final HeldLeases leases;

	private final KeyQueue queue;

	private final Waiter holder;

	private final @Nullable WeakReference<Thread> owner;

	/**
	 * The thread that works under this lease; null if the work may go on after the call
	 * that acquired the lease has returned.
	 */
	private volatile @Nullable WeakReference<Thread> worker;

	private final LeaseExtension extension;

	private final Renewal renewal;

	private final AtomicReference<LeaseStatus> status = new AtomicReference<>(LeaseStatus.HELD);

	private volatile Validity validity;

	private final Set<CompletableFuture<LossReason>> lossStages = ConcurrentHashMap.newKeySet();

	private final CompletableFuture<ReleaseResult> released = new CompletableFuture<>();

	private Timeout expiryTimer = Timeout.NONE;

	public HeldLease(LockContext context, Grant grant, KeyQueue queue, Waiter holder,
			@Nullable WeakReference<Thread> thread, boolean owned, HeldLeases leases) {
		this.context = context;
		this.plan = grant.plan();
		this.grant = grant;
		this.queue = queue;
		this.holder = holder;
		this.owner = owned ? thread : null;
		this.worker = thread;
		this.leases = leases;
		this.validity = this.plan.validity(grant.start());
		this.extension = new LeaseExtension(this, context);
		this.renewal = new Renewal(this, context, this.extension);
	}

	public void start() {
		assert this.context.loop().inLoop();
		this.leases.add(this);
		if (this.plan.renew()) {
			this.renewal.start();
		}
	}

	public LockPlan plan() {
		return this.plan;
	}

	public Grant grant() {
		return this.grant;
	}

	LeaseExtension extension() {
		return this.extension;
	}

	LeaseStatus status() {
		return Objects.requireNonNull(this.status.get());
	}

	void released(ReleaseResult result) {
		this.released.complete(result);
	}

	/**
	 * Returns how long the lease has been held, by the monotonic clock. A step of the
	 * wall clock must not release a lease before the end of its {@code atLeast}.
	 */
	Duration heldFor() {
		return Duration.ofNanos(this.grant.start().monotonicNanos(this.context.ticker()));
	}

	public boolean isOwnedBy(@Nullable Thread thread) {
		return thread != null && this.owner != null && this.owner.refersTo(thread);
	}

	boolean isOwnerGone() {
		if (this.owner == null) {
			return false;
		}
		Thread thread = this.owner.get();
		return thread == null || !thread.isAlive();
	}

	public boolean isWorkOf(Thread thread) {
		WeakReference<Thread> working = this.worker;
		return working != null && working.refersTo(thread);
	}

	public void outliveCall() {
		this.worker = null;
	}

	public LeaseSnapshot snapshot() {
		return new LeaseSnapshot(resources(), this.grant.fence(), heldFor(), remaining(), this.plan.origin(),
				this.plan.permit());
	}

	public CompletionStage<ReleaseResult> releaseUnused() {
		return releaseAsync(false);
	}

	/**
	 * Whether the lease was neither released, detached nor lost, although it may have
	 * expired.
	 */
	public boolean isOpen() {
		return status().isHeld();
	}

	/**
	 * Whether the lease was released. If it is still in {@link HeldLeases}, its release
	 * is not on its way yet.
	 */
	public boolean isBeingReleased() {
		return status().isReleased();
	}

	@Override
	public Set<String> resources() {
		return this.plan.resources();
	}

	@Override
	public boolean isPermit() {
		return this.plan.permits() > 0;
	}

	@Override
	public long fence() {
		if (isPermit()) {
			throw new IllegalStateException("The lock on " + resources() + " has " + this.plan.permits()
					+ " permits, so its leases have no fence: a fence cannot guard data that several owners write. "
					+ "Guard the data by a lock without permits.");
		}
		if (status().isDetached()) {
			throw new IllegalStateException("The lease on " + resources()
					+ " was detached, so only the lease that succeeds it has a fence that may write.");
		}
		if (this.grant.fence() == Claim.UNFENCED) {
			throw new IllegalStateException("The lease on " + resources()
					+ " has no fence, since fencing is disabled. Set redlock.fencing.enabled=true on every client.");
		}
		return this.grant.fence();
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
		Waiting.checkNotInLoop(this.context.loop());
		ExtensionRequest request = requestExtension(ttl);
		boolean answered = Waiting.upTo(this.plan.nodeTimeout().multipliedBy(2), request.outcome());
		// If end() returns false, the event loop has ended the extension request, and its
		// outcome follows at once.
		return (answered || !request.end()) && request.outcome().join() == RenewalOutcome.EXTENDED;
	}

	@Override
	public CompletionStage<Boolean> extendAsync(Duration ttl) {
		return requestExtension(ttl).outcome()
			.thenApplyAsync((outcome) -> outcome == RenewalOutcome.EXTENDED, this.context.callbacks());
	}

	@Override
	public CompletionStage<LossReason> lost() {
		CompletableFuture<LossReason> stage = new CompletableFuture<>();
		this.lossStages.add(stage);
		// A lease may be held for weeks, so a lease must not keep stages that callers
		// have cancelled.
		stage.whenComplete((lost, failure) -> this.lossStages.remove(stage));
		// If the loss was reported before the stage was added, only this code completes
		// the stage.
		LossReason reason = status().reason();
		if (reason != null) {
			stage.complete(reason);
		}
		return stage;
	}

	@Override
	public String detach() {
		requireDetachable();
		if (!isValid()) {
			LossReason reason = status().reason();
			throw new LockLostException(resources(), (reason != null) ? reason : this.renewal.reasonOfExpiry());
		}
		LeaseStatus before = this.status.getAndUpdate(LeaseStatus::detached);
		if (!before.isHeld()) {
			return detach();
		}
		this.leases.remove(this);
		this.released.complete(new ReleaseResult(0, this.plan.nodes().size(), true));
		this.context.loop().post(() -> {
			stopTimers();
			this.queue.ended(this.holder);
			this.leases.ended();
		});
		this.plan.notifier().holdEnded(HoldEnd.RELEASED);
		return new Ticket(this.plan.resources().stream().toList(),
				this.plan.nodes().stream().map(LockNode::name).toList(), this.context.settings().keyPrefix(),
				this.grant.claim().token(), this.grant.fence(), this.extension.sent().longestTtl())
			.text();
	}

	private void requireDetachable() {
		String because = null;
		Duration left = this.plan.atLeast().minus(heldFor());
		if (status().isReleased() || status().isDetached()) {
			because = "it was released or detached before";
		}
		else if (isPermit()) {
			because = "a permit has no fence";
		}
		else if (this.plan.tick() != null) {
			because = "it belongs to one run of a job";
		}
		else if (this.grant.fence() == Claim.UNFENCED) {
			because = "it has no fence, so another owner could come in between. Set redlock.fencing.enabled=true on "
					+ "every client";
		}
		else if (left.compareTo(Duration.ZERO) > 0) {
			because = "its atLeast ends in " + left.toMillis() + " ms";
		}
		if (because != null) {
			throw new IllegalStateException("The lease on " + resources() + " cannot be detached: " + because + ".");
		}
	}

	/**
	 * Whether a lease that was detached or released would otherwise still be valid.
	 */
	public boolean wouldBeValid() {
		return this.validity.remainingNanos(this.context.ticker()) > 0;
	}

	/**
	 * Releases a detached lease, so that its ticket does not work.
	 */
	public void takeBack() {
		LeaseStatus before = this.status.getAndUpdate((now) -> now.isDetached() ? now.released() : now);
		if (before.isDetached()) {
			LeaseRelease release = new LeaseRelease(this, this.queue, true, true, Duration.ZERO);
			this.context.loop().post(() -> this.queue.release(this.holder, release));
		}
	}

	@Override
	public void close() {
		closeAll(List.of(this));
	}

	/**
	 * Sends the releases of all leases first, and then waits for all answers together.
	 */
	public static void closeAll(List<HeldLease> leases) {
		List<CompletableFuture<Void>> awaited = new ArrayList<>();
		Duration longest = Duration.ZERO;
		for (HeldLease lease : leases) {
			boolean waits = lease.context.settings().awaitRelease() && !lease.context.loop().inLoop();
			LeaseRelease release = lease.release(true, Duration.ZERO);
			if (release != null && waits) {
				awaited.add(release.confirmed());
				Duration bound = lease.plan.nodeTimeout().multipliedBy(2);
				longest = (bound.compareTo(longest) > 0) ? bound : longest;
			}
		}
		if (!awaited.isEmpty()) {
			Waiting.upTo(longest, CompletableFuture.allOf(awaited.toArray(CompletableFuture[]::new)));
		}
	}

	@Override
	public CompletionStage<ReleaseResult> releaseAsync() {
		return releaseAsync(true);
	}

	public CompletionStage<ReleaseResult> revoke(LossReason reason) {
		if (markLost(reason)) {
			notifyLoss(reason);
		}
		return releaseAsync();
	}

	/**
	 * Takes the lease from work that still runs when the client closes. The nodes keep
	 * the keys, so that no other process gets the lock while the work may still run.
	 * @param deletes whether the nodes delete the keys, except for the time of
	 * {@code atLeast} and of the lock delay
	 * @return how long the nodes keep the keys; null if the lease had ended before
	 */
	public @Nullable Duration shutDown(boolean deletes) {
		// The expiry timer may be late, for example after the machine was suspended.
		checkExpiry();
		boolean held = isOpen();
		Duration atLeast = this.plan.atLeast().minus(heldFor());
		Duration owed = (atLeast.compareTo(this.plan.lockDelay()) > 0) ? atLeast : this.plan.lockDelay();
		Duration left = keysRemaining();
		if (deletes && (held || owed.isZero())) {
			left = (owed.compareTo(left) < 0) ? owed : left;
			if (markLost(LossReason.SHUT_DOWN)) {
				notifyLoss(LossReason.SHUT_DOWN);
			}
			release(true, owed);
		}
		else {
			lose(LossReason.SHUT_DOWN);
		}
		return held ? left : null;
	}

	/**
	 * Marks the lease as lost, without sending a release to the nodes.
	 */
	void lose(LossReason reason) {
		if (markLost(reason)) {
			stopTimers();
			this.queue.ended(this.holder);
			notifyLoss(reason);
			this.leases.ended();
		}
	}

	/**
	 * Ends an expired lease. If the lease expires before the next check of all leases,
	 * sets a timer to its expiry.
	 */
	void checkExpiry() {
		if (!isOpen()) {
			removeIfKeysExpired();
			return;
		}
		long left = remainingNanos();
		if (left <= 0) {
			lose(this.renewal.reasonOfExpiry());
		}
		else if (left <= HeldLeases.CHECK_INTERVAL.toNanos() && this.expiryTimer == Timeout.NONE) {
			this.expiryTimer = this.context.loop().schedule(Duration.ofNanos(left), () -> {
				this.expiryTimer = Timeout.NONE;
				checkExpiry();
			});
		}
	}

	void prolong(Validity candidate) {
		if (candidate.remainingNanos(this.context.ticker()) > this.validity.remainingNanos(this.context.ticker())) {
			this.validity = candidate;
		}
	}

	private ExtensionRequest requestExtension(Duration ttl) {
		this.context.settings().checkTtl(ttl, this.plan.driftFactor());
		ExtensionRequest request = new ExtensionRequest(ttl);
		if (!this.context.loop().post(() -> this.renewal.extendForCaller(request))) {
			request.outcome().complete(RenewalOutcome.UNKNOWN);
		}
		return request;
	}

	private CompletionStage<ReleaseResult> releaseAsync(boolean used) {
		release(used, Duration.ZERO);
		return this.released.thenApplyAsync((result) -> result, this.context.callbacks());
	}

	/**
	 * Ends the lease at once, and leaves its release to the event loop.
	 * @param used whether the locked code has started
	 * @param least how long the nodes keep the keys even if the lease was lost
	 * @return null if the lease had been released before
	 */
	private @Nullable LeaseRelease release(boolean used, Duration least) {
		LossReason expiry = this.renewal.reasonOfExpiry();
		// The expiry timer may be late, for example after the machine was suspended.
		if (!isValid() && markLost(expiry)) {
			notifyLoss(expiry);
		}
		LeaseStatus before = this.status.getAndUpdate((now) -> now.isDetached() ? now : now.released());
		if (before.isReleased() || before.isDetached()) {
			return null;
		}
		LeaseRelease release = new LeaseRelease(this, this.queue, before.isHeld(), used, least);
		boolean posted = this.context.loop().post(() -> {
			stopTimers();
			this.queue.release(this.holder, release);
			// The lease is forgotten only now, because a client that closes waits for the
			// releases of all leases that it knows.
			this.leases.remove(this);
			this.leases.ended();
		});
		if (!posted) {
			this.leases.remove(this);
			release.notSent();
		}
		if (before.isHeld()) {
			this.plan.notifier().holdEnded(HoldEnd.RELEASED);
		}
		return release;
	}

	private long remainingNanos() {
		return isOpen() ? this.validity.remainingNanos(this.context.ticker()) : 0;
	}

	private void removeIfKeysExpired() {
		Sent sent = this.extension.sent();
		if (sent.last().elapsedNanos(this.context.ticker()) >= sent.longestTtl().toNanos()) {
			this.leases.remove(this);
		}
	}

	private Duration keysRemaining() {
		Sent sent = this.extension.sent();
		Duration left = sent.longestTtl().minusNanos(sent.last().monotonicNanos(this.context.ticker()));
		return left.isNegative() ? Duration.ZERO : left;
	}

	private boolean markLost(LossReason reason) {
		return this.status.compareAndSet(LeaseStatus.HELD, LeaseStatus.lost(reason));
	}

	private void notifyLoss(LossReason reason) {
		// Each stage completes in a task of its own, so that a blocking action of one
		// stage does not delay other stages.
		this.lossStages.forEach((stage) -> this.context.callbacks().executeFirst(() -> stage.complete(reason)));
		this.context.callbacks().executeFirst(() -> {
			RequestNotifier.tell(this.context.listeners(), (listener) -> listener.leaseLost(this, reason));
			this.plan.notifier().holdEnded(HoldEnd.LOST);
		});
	}

	private void stopTimers() {
		this.renewal.stop();
		this.expiryTimer.cancel();
	}

	/**
	 * The text must not contain the token, because a client that knows the token can
	 * release the lock.
	 */
	@Override
	public String toString() {
		String origin = (this.plan.origin() != null) ? this.plan.origin() + ", " : "";
		return resources() + " (" + origin + "ttl " + this.plan.ttl().toMillis() + " ms)";
	}

}

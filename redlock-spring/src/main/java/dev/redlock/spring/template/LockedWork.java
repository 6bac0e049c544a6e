package dev.redlock.spring.template;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockLostAfterCommitException;
import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.LossPolicy;
import dev.redlock.LossReason;
import dev.redlock.Redlock;
import org.jspecify.annotations.Nullable;

/**
 * One piece of work and the leases that it runs under: the leases of outer work that it
 * re-enters, and its own lease for the resources that outer leases do not cover.
 * Blocking, asynchronous and reactive work differ only in how they wait.
 */
final class LockedWork {

	private final @Nullable Redlock redlock;

	private final LockRequest request;

	private final CallSite site;

	private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

	/** The parts of outer leases that belong to this work. */
	private volatile List<BoundLease> outer;

	/** Whether the transaction around the work ends the leases, and not the work. */
	private volatile boolean kept;

	/** Whether the writes of the work may be committed when the work ends. */
	private volatile boolean commits;

	/** The wait for siblings or for the lock, which ends when the work is given up. */
	private volatile Future<?> waiting = CompletableFuture.completedFuture(null);

	/** The lease on the names that no outer lease covers. */
	private volatile @Nullable BoundLease own;

	private LockedWork(@Nullable Redlock redlock, LockRequest request, CallSite site, List<BoundLease> outer) {
		this.redlock = redlock;
		this.request = request;
		this.site = site;
		this.kept = site.inTransaction();
		this.commits = !site.inTransaction();
		this.outer = outer;
	}

	/**
	 * Creates work that re-enters leases of the same lock.
	 * @throws LockLostException if one of these leases is no longer valid, so that
	 * another process may have the lock
	 * @throws IllegalStateException if the request is for a tick, which only a new lease
	 * can take, or if one of these leases has another number of permits, or covers
	 * uncommitted data of a suspended transaction
	 */
	static LockedWork reEntering(LockRequest request, Redlock redlock, CallSite site) {
		LockedWork work = new LockedWork(redlock, request, site, site.parts(request.resources(), redlock));
		work.outer.forEach(work::requireReEntrable);
		return work;
	}

	private void requireReEntrable(BoundLease lease) {
		lease.root().requireAsExclusive(this.request.permits());
		requireValid(lease);
		if (lease.root().isSuspended()) {
			throw uncommitted(lease);
		}
		if (this.request.tick() != null) {
			throw new IllegalStateException("A tick of " + this.request.resources()
					+ " cannot begin while this thread holds the lock on the same name. Start the tick without it.");
		}
	}

	/**
	 * Creates work that acquires no lock, because it runs under a lease that many pieces
	 * of work share. Inner work runs under the same lease, even when the lease no longer
	 * allows new outer work.
	 */
	static LockedWork sharing(LockRequest request, Redlock redlock, Supplier<SharedLease> shared, CallSite site) {
		BoundLease lease = site.held(request.resources().get(0), redlock)
			.filter((held) -> held.root().isShared())
			.orElseGet(() -> shared.get().bound());
		LockedWork work = new LockedWork(null, request, site, List.of(new BoundLease(lease, lease.resources())));
		work.requireValid(lease);
		return work;
	}

	/**
	 * Creates work that runs without a lock and excludes no other work.
	 */
	static LockedWork withoutLock(LockRequest request, CallSite site) {
		LockedWork work = new LockedWork(null, request, site, List.of());
		work.acquired(PretendedLease.of(request.resources()));
		return work;
	}

	/**
	 * Makes the work itself end its leases, and not the transaction around the work.
	 * @param suspends whether the work suspends that transaction, and cannot see its
	 * writes
	 * @throws IllegalStateException if the work could not see writes under a lease that
	 * it re-enters
	 */
	LockedWork apart(boolean suspends) {
		if (suspends && this.site.writing() && !this.outer.isEmpty()) {
			throw uncommitted(this.outer.get(0));
		}
		this.kept = false;
		this.commits |= suspends;
		return this;
	}

	/**
	 * Re-enters the outer leases, and keeps them until the work ends. A lease whose last
	 * work ends at this moment cannot be kept, so its resources must be acquired anew.
	 * @throws LockNotAcquiredException if a lease cannot be kept, and the work may not
	 * acquire a new one
	 */
	LockedWork entering() {
		this.outer = this.outer.stream().filter(BoundLease::enter).toList();
		if (this.redlock == null && leases().isEmpty()) {
			throw new LockNotAcquiredException(Set.copyOf(this.request.resources()), Reason.HELD, List.of(), 0,
					Duration.ZERO);
		}
		return this;
	}

	/**
	 * Refuses asynchronous work on names under whose lock this thread has an open
	 * transaction. The work could not see the uncommitted writes, and the thread that
	 * must commit may wait for the work.
	 * @throws IllegalStateException if the request has such a name
	 */
	LockedWork outsideOfTransaction() {
		Set<String> names = CallSite.ofThread().uncommitted(this.redlock);
		names.retainAll(this.request.resources());
		if (!names.isEmpty()) {
			throw new IllegalStateException("The transaction of this thread has not committed what it wrote under the "
					+ "lock on " + names + ", and asynchronous work would not see these writes. Start the "
					+ "asynchronous work after the transaction, or call a blocking method.");
		}
		return this;
	}

	/**
	 * Waits for siblings of this work, and acquires the resources that the outer leases
	 * do not cover.
	 * @throws LockNotAcquiredException if the time to wait is over
	 */
	void acquire() {
		try {
			admitted().get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw notAdmitted(Reason.INTERRUPTED);
		}
		catch (ExecutionException ex) {
			throw (LockNotAcquiredException) ex.getCause();
		}
		if (needsLock()) {
			acquired(redlock().attemptInScope(request()).orThrow());
		}
	}

	/**
	 * Acquires the lock like {@link #acquire()}, without blocking.
	 * @return completes with this work; a caller that needs the work no longer gives it
	 * up
	 */
	CompletableFuture<LockedWork> acquireAsync() {
		CompletableFuture<Void> admitted = admitted();
		this.waiting = admitted;
		return admitted.thenCompose((nothing) -> attempt()).thenApply((nothing) -> this);
	}

	private CompletableFuture<Void> attempt() {
		if (!needsLock()) {
			return CompletableFuture.completedFuture(null);
		}
		CompletableFuture<LockAttempt> attempt = redlock().attempt(request()).toCompletableFuture();
		this.waiting = attempt;
		if (this.state.get() == State.GIVEN_UP) {
			attempt.cancel(false);
		}
		return attempt.thenAccept((ended) -> acquired(ended.orThrow()));
	}

	/**
	 * Returns a future that completes when no sibling of this work runs on the same
	 * names.
	 * @return fails with {@link LockNotAcquiredException} when the time to wait is over
	 */
	private CompletableFuture<Void> admitted() {
		CompletableFuture<Void> all = CompletableFuture
			.allOf(this.outer.stream().map(BoundLease::admitted).toArray(CompletableFuture<?>[]::new));
		if (all.isDone()) {
			return all;
		}
		Duration longest = (this.request.waitFor() != null) ? this.request.waitFor() : redlock().settings().waitFor();
		if (longest.isZero()) {
			return CompletableFuture.failedFuture(notAdmitted(Reason.HELD));
		}
		return all.copy()
			.orTimeout(longest.toNanos(), TimeUnit.NANOSECONDS)
			.exceptionallyCompose((late) -> CompletableFuture.failedFuture(notAdmitted(Reason.HELD)));
	}

	private LockNotAcquiredException notAdmitted(Reason reason) {
		return new LockNotAcquiredException("The lock on " + this.request.resources() + " was not acquired: " + reason
				+ ", because other work inside of the same lock still runs. Wait for that work before you ask for the "
				+ "lock again, or raise waitFor.", reason);
	}

	/**
	 * Whether the request has names that neither an outer lease nor the work's own lease
	 * covers.
	 */
	boolean needsLock() {
		return this.own == null && !missing().isEmpty();
	}

	/**
	 * Returns the lock for the missing resources. Work without a lock does not call this
	 * method.
	 */
	Redlock redlock() {
		return Objects.requireNonNull(this.redlock);
	}

	private List<String> missing() {
		List<String> missing = new ArrayList<>(this.request.resources());
		this.outer.forEach((lease) -> missing.removeAll(lease.resources()));
		return missing;
	}

	/**
	 * Returns the request for the missing resources.
	 */
	LockRequest request() {
		return this.request.withResources(missing());
	}

	/**
	 * Stores the lease on the missing resources, or releases it if the work was given up
	 * meanwhile.
	 */
	private void acquired(Lease lease) {
		BoundLease granted = new BoundLease(this.redlock, lease, this.request.permits());
		BoundLease acquired = this.kept ? granted.firstPart() : granted;
		this.own = acquired;
		if (this.state.get() == State.GIVEN_UP) {
			acquired.doneAsync();
		}
	}

	/**
	 * Begins the work and runs it in this thread. If the request says so, a loss
	 * interrupts the thread.
	 * @param seen the lease that the work sees
	 */
	<T extends @Nullable Object> T call(Lease seen, Callable<T> action) throws Exception {
		if (!begin()) {
			throw new CancellationException("The caller has cancelled the locked work on " + this.request.resources());
		}
		if (this.kept) {
			roots().forEach((lease) -> TransactionHold.keep(lease, onLoss()));
		}
		CurrentLease scope = bindToThread(seen);
		try {
			return isInterruptedOnLoss() ? LossInterrupt.call(roots(), action) : action.call();
		}
		finally {
			scope.close();
		}
	}

	/**
	 * Checks the leases right before the work begins.
	 * @return false if the work was given up
	 * @throws LockLostException if one of the leases has ended during a wait or a pause
	 * of the process, so that another process may do the same work now
	 */
	boolean begin() {
		try {
			leases().forEach(this::requireValid);
		}
		catch (LockLostException ex) {
			if (this.state.get() != State.GIVEN_UP) {
				throw ex;
			}
		}
		boolean begun = this.state.compareAndSet(State.WAITING, State.BEGUN);
		if (begun) {
			leases().forEach(BoundLease::markUsed);
		}
		return begun;
	}

	boolean hasBegun() {
		return this.state.get() == State.BEGUN || this.state.get() == State.DONE;
	}

	/**
	 * Gives up work that has not begun.
	 * @return false if it has begun, or was given up before
	 */
	boolean giveUp() {
		boolean first = this.state.compareAndSet(State.WAITING, State.GIVEN_UP);
		if (first) {
			this.waiting.cancel(false);
			doneAsync();
		}
		return first;
	}

	/**
	 * Returns the lease that the work sees. The lease covers exactly the names that the
	 * work requested.
	 */
	Lease lease() {
		BoundLease acquired = this.own;
		if (acquired != null && this.outer.isEmpty()) {
			return acquired;
		}
		return new LeaseView(Collections.unmodifiableSet(new TreeSet<>(this.request.resources())), leases(), acquired);
	}

	/**
	 * Returns the lease that covers the names of the work, for a caller that releases the
	 * acquired lease itself.
	 * @param acquired the lease on the missing resources
	 * @throws LockLostException if an outer lease was lost while the caller waited
	 */
	Lease leaseWith(Lease acquired) {
		acquired(acquired);
		try {
			begin();
		}
		catch (LockLostException ex) {
			giveUp();
			throw ex;
		}
		return lease();
	}

	/**
	 * Returns the acquired lease for a caller that releases the lease itself.
	 * @return null if the caller has given up
	 */
	@Nullable Lease handOver() {
		return begin() ? lease() : null;
	}

	/**
	 * Returns all leases of the work, its own lease last.
	 */
	List<BoundLease> leases() {
		BoundLease acquired = this.own;
		if (acquired == null) {
			return this.outer;
		}
		if (this.outer.isEmpty()) {
			return List.of(acquired);
		}
		List<BoundLease> leases = new ArrayList<>(this.outer);
		leases.add(acquired);
		return leases;
	}

	/**
	 * Makes the work's lease the current lease of this thread until the scope is closed.
	 * The leases that the work may re-enter become current around it.
	 */
	CurrentLease bindToThread(Lease seen) {
		if (this.outer.isEmpty() && this.site.current().isEmpty()) {
			return CurrentLease.open(seen);
		}
		List<Lease> leases = around(seen, CurrentLease.all());
		// Closing the outermost scope also ends the scopes inside it.
		CurrentLease outermost = CurrentLease.open(leases.get(0));
		leases.subList(1, leases.size()).forEach(CurrentLease::open);
		return outermost;
	}

	/**
	 * Returns the leases to make current, from the outside in: the leases of the calling
	 * thread and of outer work, unless they are current already, and then the lease that
	 * the work sees. Inner calls can therefore re-enter these leases on any thread.
	 */
	List<Lease> around(Lease seen, List<Lease> current) {
		List<Lease> leases = new ArrayList<>(this.site.current());
		leases.removeIf(
				(lease) -> lease instanceof LeaseView view && view.bound().stream().allMatch(BoundLease::isClosed));
		Collections.reverse(leases);
		leases.removeAll(current);
		leases.add(seen);
		return leases;
	}

	LossPolicy onLoss() {
		return this.request.onLoss();
	}

	boolean isInterruptedOnLoss() {
		return onLoss() == LossPolicy.INTERRUPT;
	}

	/**
	 * Returns whether the writes of the work may be committed when the work ends, because
	 * it takes part in no outer transaction.
	 */
	boolean commits() {
		return this.commits;
	}

	/**
	 * Returns the loss to report to the caller, with further losses as suppressed.
	 * @param committed whether the writes of the work may be committed
	 */
	Optional<LockLostException> loss(boolean committed) {
		List<LockLostException> losses = leases().stream()
			.flatMap((lease) -> lease.loss(onLoss()).stream().map((reason) -> lost(lease, reason, committed)))
			.toList();
		losses.stream().skip(1).forEach((further) -> losses.get(0).addSuppressed(further));
		return losses.stream().findFirst();
	}

	/**
	 * Returns the loss that stops the running work.
	 * @param seen the lease that the work sees, which reported the loss
	 */
	LockLostException loss(Lease seen, LossReason reason, boolean committed) {
		return loss(committed).orElseGet(() -> lost(seen, reason, committed));
	}

	/**
	 * Returns the loss of a lease of the work. The exception also reports a commit in
	 * outer work, because a retry could repeat that work.
	 */
	LockLostException lost(Lease lease, LossReason reason, boolean committed) {
		return committed ? new LockLostAfterCommitException(lease.resources(), reason) : BoundLease.lost(lease, reason,
				Stream.of(leases(), this.site.leases()).<Lease>flatMap(List::stream).toList());
	}

	/**
	 * Ends blocking work and releases its leases.
	 */
	void release() {
		if (this.state.compareAndSet(State.BEGUN, State.DONE)) {
			BoundLease.done(leases());
		}
		else {
			giveUp();
		}
	}

	/**
	 * Returns whether the transaction around the work keeps its leases until it has
	 * completed, so that other processes get the lock only when they can see the writes.
	 * A loss before the commit rolls the transaction back.
	 */
	boolean isKept() {
		return this.kept;
	}

	/**
	 * Returns the granted leases behind this work.
	 */
	List<BoundLease> roots() {
		return leases().stream().map(BoundLease::root).distinct().toList();
	}

	/**
	 * Ends work that must not block. A second call releases nothing.
	 * @return completes when the caller may be answered, and never exceptionally
	 */
	CompletableFuture<?> releaseAsync() {
		if (this.state.compareAndSet(State.BEGUN, State.DONE)) {
			CompletableFuture<?> released = doneAsync();
			if (this.redlock != null && this.redlock.settings().awaitRelease()) {
				return released;
			}
		}
		giveUp();
		return CompletableFuture.completedFuture(null);
	}

	private CompletableFuture<?> doneAsync() {
		return CompletableFuture
			.allOf(leases().stream().map(BoundLease::doneAsync).toArray(CompletableFuture<?>[]::new));
	}

	private void requireValid(BoundLease lease) {
		if (!lease.isValid()) {
			throw lost(lease, lease.loss().orElse(LossReason.EXPIRED), false);
		}
	}

	private static IllegalStateException uncommitted(BoundLease lease) {
		return new IllegalStateException("A new transaction cannot run under the lock on " + lease.resources()
				+ " that this thread holds: the new transaction would not see the uncommitted writes of the outer "
				+ "transaction. Call the method in the outer transaction, or after its end.");
	}

	private enum State {

		WAITING, GIVEN_UP, BEGUN, DONE

	}

}

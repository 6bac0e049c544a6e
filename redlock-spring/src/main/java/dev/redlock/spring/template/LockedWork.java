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
 * One call of a callback under a lock, with its leases. The call re-enters the leases of
 * outer calls, and acquires a lease of its own for names that no outer lease covers.
 * Blocking, asynchronous and reactive calls all use this class, and differ only in how
 * they wait.
 */
final class LockedWork {

	private final @Nullable Redlock redlock;

	private final LockRequest request;

	private final CallSite site;

	private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

	/** The nested leases by which this call re-enters the leases of outer calls. */
	private volatile List<BoundLease> outer;

	/**
	 * Whether the transaction around this call releases the leases, instead of the call
	 * itself.
	 */
	private volatile boolean kept;

	/** Whether writes of the callback may be committed already when the callback ends. */
	private volatile boolean commits;

	/**
	 * The wait for other nested calls or for the lock. It is cancelled when the caller no
	 * longer needs this call.
	 */
	private volatile Future<?> waiting = CompletableFuture.completedFuture(null);

	/**
	 * The lease that this call acquired itself; null until then, and if outer leases
	 * cover all names.
	 */
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
	 * Creates a call that re-enters outer leases which the same {@code Redlock} granted.
	 * @throws LockLostException if one of the outer leases is no longer valid, so that
	 * another process may have the lock
	 * @throws IllegalStateException if a scheduled job starts under an outer lease on its
	 * own name, if an outer lease has another number of permits, or if a suspended
	 * transaction may have uncommitted writes under an outer lease
	 */
	static LockedWork reEntering(LockRequest request, Redlock redlock, CallSite site) {
		LockedWork work = new LockedWork(redlock, request, site, site.parts(request.resources(), redlock));
		work.outer.forEach(work::requireReEntrable);
		return work;
	}

	private void requireReEntrable(BoundLease lease) {
		lease.granted().requireSamePermits(this.request.permits());
		requireValid(lease);
		if (lease.granted().isSuspended()) {
			throw uncommitted(lease);
		}
		if (this.request.tick() != null) {
			throw new IllegalStateException("A tick of " + this.request.resources()
					+ " cannot begin while this thread holds the lock on the same name. Start the tick without it.");
		}
	}

	/**
	 * Creates a call that acquires no lock, because it runs under a {@link SharedLease},
	 * such as the lease of a leader. A nested call always runs under the shared lease of
	 * its outer call, even when that lease allows no new outer calls.
	 * @param shared returns the lease for a call without an outer call, or throws
	 * {@link LockNotAcquiredException}
	 */
	static LockedWork sharing(LockRequest request, Redlock redlock, Supplier<SharedLease> shared, CallSite site) {
		BoundLease lease = site.held(request.resources().get(0), redlock)
			.filter((held) -> held.granted().isShared())
			.orElseGet(() -> shared.get().bound());
		LockedWork work = new LockedWork(null, request, site, List.of(new BoundLease(lease, lease.resources())));
		work.requireValid(lease);
		return work;
	}

	/**
	 * Creates a call that runs without a lock, at the same time as other calls on the
	 * same name.
	 */
	static LockedWork withoutLock(LockRequest request, CallSite site) {
		LockedWork work = new LockedWork(null, request, site, List.of());
		work.acquired(PretendedLease.of(request.resources()));
		return work;
	}

	/**
	 * Makes this call release its leases when it ends, instead of at the end of the
	 * transaction around the call.
	 * @param suspends whether the callback suspends the transaction around the call, so
	 * that it cannot see writes that are not committed
	 * @throws IllegalStateException if the callback suspends a transaction that may have
	 * uncommitted writes, and re-enters an outer lease
	 */
	LockedWork releasingAtEnd(boolean suspends) {
		if (suspends && this.site.writing() && !this.outer.isEmpty()) {
			throw uncommitted(this.outer.get(0));
		}
		this.kept = false;
		this.commits |= suspends;
		return this;
	}

	/**
	 * Re-enters the outer leases, which are then not released before this call ends. If
	 * an outer lease is just being released, this call must acquire its names anew.
	 * @throws LockNotAcquiredException if the shared lease is just being released,
	 * because this call cannot acquire another lease
	 */
	LockedWork entering() {
		this.outer = this.outer.stream().filter(BoundLease::reEnter).toList();
		if (this.redlock == null && leases().isEmpty()) {
			throw new LockNotAcquiredException(Set.copyOf(this.request.resources()), Reason.HELD, List.of(), 0,
					Duration.ZERO);
		}
		return this;
	}

	/**
	 * Refuses an asynchronous call if this thread may have uncommitted writes under the
	 * lock on one of the call's names. The asynchronous callback could not see these
	 * writes. The thread that must commit might also wait for the callback for ever.
	 * @throws IllegalStateException if this thread may have uncommitted writes under a
	 * name of the request
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
	 * Waits for earlier nested calls on the same names, and acquires the names that no
	 * outer lease covers.
	 * @throws LockNotAcquiredException if the lock was not acquired in the time that the
	 * request allows
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
	 * Acquires the lock like {@link #acquire()}, without blocking a thread. A caller that
	 * no longer needs the lock must call {@link #cancelUnlessBegun()}.
	 * @return completes with this object when the lock is acquired
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
		if (this.state.get() == State.CANCELLED) {
			attempt.cancel(false);
		}
		return attempt.thenAccept((ended) -> acquired(ended.orThrow()));
	}

	/**
	 * Returns a future that completes when no earlier nested call on the same names is
	 * running.
	 * @return fails with {@link LockNotAcquiredException} when the wait that the request
	 * allows is over
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
	 * Whether this call must still acquire a lock, because no lease covers some of its
	 * names.
	 */
	boolean needsLock() {
		return this.own == null && !missing().isEmpty();
	}

	/**
	 * Returns the {@code Redlock} that acquires the names that no outer lease covers. Do
	 * not call this method for a call without a lock.
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
	 * Returns the lock request for the names that no outer lease covers.
	 */
	LockRequest request() {
		return this.request.withResources(missing());
	}

	/**
	 * Stores the lease that this call has acquired. If the caller has given this call up
	 * meanwhile, the lease is released at once.
	 */
	private void acquired(Lease lease) {
		BoundLease granted = new BoundLease(this.redlock, lease, this.request.permits());
		BoundLease acquired = this.kept ? granted.nestedForFirstCall() : granted;
		this.own = acquired;
		if (this.state.get() == State.CANCELLED) {
			acquired.endCallAsync();
		}
	}

	/**
	 * Runs the callback on this thread. With {@link LossPolicy#INTERRUPT}, a loss of the
	 * lock interrupts the thread.
	 * @param seen the lease that is the {@link CurrentLease} while the callback runs
	 */
	<T extends @Nullable Object> T call(Lease seen, Callable<T> action) throws Exception {
		if (!begin()) {
			throw new CancellationException("The caller has cancelled the locked work on " + this.request.resources());
		}
		if (this.kept) {
			grantedLeases().forEach((lease) -> TransactionHold.keep(lease, onLoss()));
		}
		CurrentLease scope = bindToThread(seen);
		try {
			return isInterruptedOnLoss() ? LossInterrupt.call(grantedLeases(), action) : action.call();
		}
		finally {
			scope.close();
		}
	}

	/**
	 * Checks that all leases are valid right before the callback begins.
	 * @return false if the caller has given this call up, so that the callback must not
	 * run
	 * @throws LockLostException if a lease has ended during a wait or a pause of the
	 * process, so that another process may have the lock now
	 */
	boolean begin() {
		try {
			leases().forEach(this::requireValid);
		}
		catch (LockLostException ex) {
			if (this.state.get() != State.CANCELLED) {
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
	 * Gives this call up if its callback has not begun: stops waiting for the lock and
	 * releases the leases.
	 * @return false if the callback has begun, or if the call was given up before
	 */
	boolean cancelUnlessBegun() {
		boolean first = this.state.compareAndSet(State.WAITING, State.CANCELLED);
		if (first) {
			this.waiting.cancel(false);
			doneAsync();
		}
		return first;
	}

	/**
	 * Returns the lease for the callback, which covers exactly the names that this call
	 * requested.
	 */
	Lease lease() {
		BoundLease acquired = this.own;
		if (acquired != null && this.outer.isEmpty()) {
			return acquired;
		}
		return new LeaseView(Collections.unmodifiableSet(new TreeSet<>(this.request.resources())), leases(), acquired);
	}

	/**
	 * Returns the lease that covers all requested names, for a caller that must close the
	 * acquired lease itself.
	 * @param acquired the lease on the names that no outer lease covers
	 * @throws LockLostException if an outer lease was lost while the caller waited for
	 * the acquired lease
	 */
	Lease leaseWith(Lease acquired) {
		acquired(acquired);
		try {
			begin();
		}
		catch (LockLostException ex) {
			cancelUnlessBegun();
			throw ex;
		}
		return lease();
	}

	/**
	 * Returns the lease for a caller that must close it itself.
	 * @return the lease on all requested names; null if the caller has given this call up
	 */
	@Nullable Lease handOver() {
		return begin() ? lease() : null;
	}

	/**
	 * Returns all leases of this call: first the nested leases, then the lease that the
	 * call acquired itself.
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
	 * Makes a lease the {@link CurrentLease} of this thread until the returned scope is
	 * closed. The leases of the call's outer calls also become current, because the
	 * callback may run on another thread than the outer calls.
	 */
	CurrentLease bindToThread(Lease seen) {
		if (this.outer.isEmpty() && this.site.current().isEmpty()) {
			return CurrentLease.open(seen);
		}
		List<Lease> leases = around(seen, CurrentLease.all());
		// Closing the outermost scope also closes the scopes that were opened after
		// it.
		CurrentLease outermost = CurrentLease.open(leases.get(0));
		leases.subList(1, leases.size()).forEach(CurrentLease::open);
		return outermost;
	}

	/**
	 * Returns the leases that must become current on the thread of the callback, so that
	 * nested calls can re-enter them. The leases of outer calls that are not current yet
	 * come first, and the lease of the callback comes last.
	 * @param seen the lease of the callback
	 * @param current the leases that are current already
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
	 * Returns whether writes of the callback may be committed already when the callback
	 * ends, because it takes part in no outer transaction.
	 */
	boolean commits() {
		return this.commits;
	}

	/**
	 * Returns the exception that reports a lost lease of this call to the caller, with
	 * the losses of further leases as suppressed.
	 * @param committed whether writes of the callback may be committed
	 * @return the exception; empty if no lease was lost, or if the request ignores losses
	 */
	Optional<LockLostException> loss(boolean committed) {
		List<LockLostException> losses = leases().stream()
			.flatMap((lease) -> lease.loss(onLoss()).stream().map((reason) -> lost(lease, reason, committed)))
			.toList();
		losses.stream().skip(1).forEach((further) -> losses.get(0).addSuppressed(further));
		return losses.stream().findFirst();
	}

	/**
	 * Returns the exception that stops the running callback after a loss of its lease.
	 * @param seen the lease of the callback, which has reported the loss
	 */
	LockLostException loss(Lease seen, LossReason reason, boolean committed) {
		return loss(committed).orElseGet(() -> lost(seen, reason, committed));
	}

	/**
	 * Creates the exception that reports the loss of a lease. If the callback or an outer
	 * call may have committed a transaction, the exception is a
	 * {@link LockLostAfterCommitException}, because a retry could repeat that
	 * transaction.
	 */
	LockLostException lost(Lease lease, LossReason reason, boolean committed) {
		return committed ? new LockLostAfterCommitException(lease.resources(), reason) : BoundLease.lost(lease, reason,
				Stream.of(leases(), this.site.leases()).<Lease>flatMap(List::stream).toList());
	}

	/**
	 * Ends this blocking call and releases its leases.
	 */
	void release() {
		if (this.state.compareAndSet(State.BEGUN, State.DONE)) {
			BoundLease.endCalls(leases());
		}
		else {
			cancelUnlessBegun();
		}
	}

	/**
	 * Returns whether the transaction around this call holds the call's leases until the
	 * transaction has completed. Other processes then get the lock only when they can see
	 * the writes of the callback. A loss of the lock before the commit rolls the
	 * transaction back.
	 */
	boolean isKept() {
		return this.kept;
	}

	/**
	 * Returns the granted leases behind all leases of this call.
	 */
	List<BoundLease> grantedLeases() {
		return leases().stream().map(BoundLease::granted).distinct().toList();
	}

	/**
	 * Ends this call without blocking, and releases its leases. Calling
	 * {@code releaseAsync} again releases nothing.
	 * @return completes when the caller may get its result; never fails
	 */
	CompletableFuture<?> releaseAsync() {
		if (this.state.compareAndSet(State.BEGUN, State.DONE)) {
			CompletableFuture<?> released = doneAsync();
			if (this.redlock != null && this.redlock.settings().awaitRelease()) {
				return released;
			}
		}
		cancelUnlessBegun();
		return CompletableFuture.completedFuture(null);
	}

	private CompletableFuture<?> doneAsync() {
		return CompletableFuture
			.allOf(leases().stream().map(BoundLease::endCallAsync).toArray(CompletableFuture<?>[]::new));
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

		WAITING, CANCELLED, BEGUN, DONE

	}

}

package dev.redlock.spring.internal.work;

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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
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
import dev.redlock.spring.internal.lease.AcquiredLease;
import dev.redlock.spring.internal.lease.BoundLease;
import dev.redlock.spring.internal.lease.GrantedLease;
import dev.redlock.spring.internal.lease.LeaseView;
import dev.redlock.spring.internal.lease.LentLease;
import dev.redlock.spring.internal.lease.NestedLease;
import dev.redlock.spring.internal.lease.PretendedLease;
import dev.redlock.spring.internal.transaction.LeasesHeldByTransaction;
import dev.redlock.spring.internal.transaction.TransactionHold;
import org.jspecify.annotations.Nullable;

/**
 * One call of a callback under a lock. The call re-enters the leases of outer calls, and
 * acquires a lease for names that no outer lease covers. Blocking, asynchronous and
 * reactive calls all use this class, and differ only in how they wait for the lock.
 */
public final class LockedWork {

	private final @Nullable Redlock redlock;

	private final LockRequest request;

	private final CallSite site;

	private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

	private volatile List<NestedLease> reEntered;

	/**
	 * Whether the transaction around this call holds the leases, so that other processes
	 * get the lock only after the commit.
	 */
	private volatile boolean heldByTransaction;

	/**
	 * True if the caller closes the lease itself, so that no callback runs under it.
	 */
	private volatile boolean acquiresOnly;

	/**
	 * True if the callback is in no outer transaction, so that the callback may commit
	 * its writes itself.
	 */
	private volatile boolean mayHaveCommitted;

	private volatile Future<?> cancellableWait = CompletableFuture.completedFuture(null);

	/**
	 * {@code acquiredLease} is null if this call has not acquired a lease yet, or needs
	 * none because outer leases cover all names.
	 */
	private volatile @Nullable BoundLease acquiredLease;

	private LockedWork(@Nullable Redlock redlock, LockRequest request, CallSite site, List<NestedLease> reEntered) {
		this.redlock = redlock;
		this.request = request;
		this.site = site;
		this.heldByTransaction = site.transaction().open();
		this.mayHaveCommitted = !site.transaction().open();
		this.reEntered = reEntered;
	}

	/**
	 * Creates a call that re-enters the leases of its outer calls.
	 * @throws LockLostException if an outer lease is no longer valid, so that another
	 * process may have the lock
	 */
	public static LockedWork reEntering(LockRequest request, Redlock redlock, CallSite site) {
		// A request with a ticket carries on another lease than those of its outer calls.
		List<NestedLease> nested = (request.ticket() != null) ? List.of()
				: site.nestedLeases(request.resources(), redlock);
		LockedWork work = new LockedWork(redlock, request, site, nested);
		work.reEntered.forEach(work::requireReEntrable);
		return work;
	}

	private void requireReEntrable(BoundLease lease) {
		lease.granted().requireSamePermits(this.request.permits());
		requireValid(lease);
		if (lease.granted().hasSuspendedWrites()) {
			throw uncommitted(lease);
		}
		if (this.site.unseen().contains(lease.granted())) {
			throw new IllegalStateException("The lock on " + lease.resources() + " was taken by blocking code around "
					+ "this reactive transaction. If the transaction has suspended another one, it would not see "
					+ "uncommitted writes. Take the lock in the reactive flow, by ReactiveRedLockTemplate or by a "
					+ "@RedLock method that returns a publisher.");
		}
		if (LeasesHeldByTransaction.SPRING_TX_PRESENT && !this.site.heldByTx().contains(lease.granted())
				&& TransactionHold.mayHideSuspendedWrites()) {
			throw new IllegalStateException("The lock on " + lease.resources() + " was taken outside of this "
					+ "transaction, whose transaction manager is not observed. If the transaction has suspended "
					+ "another one, it would not see uncommitted writes. Make the transaction manager a bean, or pass "
					+ "it to TransactionLeases.observe.");
		}
		if (this.request.tick() != null) {
			throw new IllegalStateException("A run of the job " + this.request.resources()
					+ " cannot begin while this thread holds the lock of the job. Release the lock first.");
		}
	}

	/**
	 * Creates a call under a lease that its owner lends. A nested call runs under the
	 * lease of its outer call, even when the owner lends no more.
	 */
	public static LockedWork borrowing(LockRequest request, Redlock redlock,
			Function<CompletionStage<Void>, Lease> owner, CallSite site) {
		List<NestedLease> nested = site.reEntrable(request.resources().get(0), redlock)
			.filter((held) -> held.granted() instanceof LentLease)
			.map((held) -> List.of(new NestedLease(held, held.resources())))
			.orElse(List.of());
		LockedWork work = new LockedWork(null, request, site, nested);
		if (nested.isEmpty()) {
			work.use(LentLease.from(redlock, owner));
		}
		return work;
	}

	public static LockedWork withoutLock(LockRequest request, CallSite site) {
		LockedWork work = new LockedWork(null, request, site, List.of());
		work.store(PretendedLease.of(request.resources()));
		return work;
	}

	/**
	 * Makes this call release its leases when it ends, and not at the end of the outer
	 * transaction.
	 * @param suspends whether the callback suspends the outer transaction and cannot see
	 * its uncommitted writes
	 */
	public LockedWork releasingAtEnd(boolean suspends) {
		if (suspends && this.site.transaction().writing() && !this.reEntered.isEmpty()) {
			throw uncommitted(this.reEntered.get(0));
		}
		this.heldByTransaction = false;
		this.mayHaveCommitted |= suspends;
		return this;
	}

	/**
	 * Makes this call acquire a lease that the caller must close.
	 */
	public LockedWork acquiringOnly() {
		this.acquiresOnly = true;
		return this;
	}

	/**
	 * If an outer lease is being released, this call must itself acquire the names of
	 * that lease.
	 * @throws LockNotAcquiredException if that lease was lent, because this call cannot
	 * acquire another lease
	 */
	public LockedWork reEnterOuter() {
		this.reEntered = this.reEntered.stream().filter(NestedLease::reEnter).toList();
		if (this.redlock == null && leases().isEmpty()) {
			throw new LockNotAcquiredException(Set.copyOf(this.request.resources()), Reason.HELD, List.of(), 0,
					Duration.ZERO);
		}
		return this;
	}

	/**
	 * Fails if this thread's transaction may have uncommitted writes under a requested
	 * name, because asynchronous code could not see these writes.
	 */
	public LockedWork refuseUncommitted() {
		Set<String> names = CallSite.ofThread().uncommittedNames(this.redlock);
		names.retainAll(this.request.resources());
		if (!names.isEmpty()) {
			throw new IllegalStateException("The transaction of this thread has not committed what it wrote under the "
					+ "lock on " + names + ", and asynchronous work would not see these writes. Start the "
					+ "asynchronous work after the transaction, or call a blocking method.");
		}
		return this;
	}

	/**
	 * Waits for earlier nested calls that lock a name of this call, and acquires the
	 * names that no outer lease covers.
	 */
	public void acquire() {
		try {
			earlierCallsEnded().get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw notAdmitted(Reason.INTERRUPTED);
		}
		catch (ExecutionException ex) {
			throw (LockNotAcquiredException) ex.getCause();
		}
		if (needsLock()) {
			store(redlock().attemptInScope(uncoveredRequest()).orThrow());
		}
	}

	/**
	 * Acquires the lock without blocking a thread. A caller that no longer needs the lock
	 * must call {@link #cancelUnlessBegun()}.
	 */
	CompletableFuture<LockedWork> acquireAsync() {
		CompletableFuture<Void> earlierCallsEnded = earlierCallsEnded();
		this.cancellableWait = earlierCallsEnded;
		return earlierCallsEnded.thenCompose((nothing) -> attempt()).thenApply((nothing) -> this);
	}

	private CompletableFuture<Void> attempt() {
		if (!needsLock()) {
			return CompletableFuture.completedFuture(null);
		}
		CompletableFuture<LockAttempt> attempt = redlock().attempt(uncoveredRequest()).toCompletableFuture();
		this.cancellableWait = attempt;
		if (this.state.get() == State.CANCELLED) {
			attempt.cancel(false);
		}
		return attempt.thenAccept((ended) -> store(ended.orThrow()));
	}

	/**
	 * Waits for earlier nested calls that lock a name of this call, at most as long as
	 * the request allows.
	 */
	private CompletableFuture<Void> earlierCallsEnded() {
		CompletableFuture<Void> all = CompletableFuture
			.allOf(this.reEntered.stream().map(NestedLease::admitted).toArray(CompletableFuture<?>[]::new));
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

	public boolean needsLock() {
		return this.acquiredLease == null && !uncoveredNames().isEmpty();
	}

	public Redlock redlock() {
		return Objects.requireNonNull(this.redlock);
	}

	private List<String> uncoveredNames() {
		List<String> uncoveredNames = new ArrayList<>(this.request.resources());
		this.reEntered.forEach((lease) -> uncoveredNames.removeAll(lease.resources()));
		return uncoveredNames;
	}

	public LockRequest uncoveredRequest() {
		return this.request.withResources(uncoveredNames());
	}

	/**
	 * A lease that is acquired after the caller has cancelled this call is released at
	 * once.
	 */
	private void store(Lease lease) {
		use(new GrantedLease(this.redlock, lease, this.request.permits(), LeasesHeldByTransaction.keeper()));
	}

	private void use(GrantedLease granted) {
		granted.beganInTransaction = this.heldByTransaction;
		BoundLease acquired = (this.heldByTransaction && !this.acquiresOnly) ? granted.nestedForFirstCall() : granted;
		this.acquiredLease = acquired;
		if (this.state.get() == State.CANCELLED) {
			acquired.endCallAsync();
		}
	}

	public <T extends @Nullable Object> T call(Lease callbackLease, Callable<T> action) throws Exception {
		if (!begin()) {
			throw new CancellationException("The caller has cancelled the locked work on " + this.request.resources());
		}
		if (this.heldByTransaction) {
			granted().forEach((lease) -> TransactionHold.keep(lease, onLoss()));
		}
		CurrentLease scope = bindToThread(callbackLease);
		try {
			return isInterruptedOnLoss() ? LossInterrupt.call(granted(), action) : action.call();
		}
		finally {
			scope.close();
		}
	}

	/**
	 * Checks that all leases are valid right before the callback begins, because a lease
	 * may have ended during a pause of the process.
	 * @return false if the caller has cancelled this call, so that the callback must not
	 * run
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
			leases().forEach((lease) -> lease.granted().markUsed());
		}
		return begun;
	}

	boolean hasBegun() {
		return this.state.get() == State.BEGUN || this.state.get() == State.DONE;
	}

	/**
	 * Stops waiting for the lock and releases the leases, if the callback has not begun.
	 * @return false if the callback has begun, or if the call was cancelled before
	 */
	public boolean cancelUnlessBegun() {
		boolean first = this.state.compareAndSet(State.WAITING, State.CANCELLED);
		if (first) {
			this.cancellableWait.cancel(false);
			endCallsAsync();
		}
		return first;
	}

	/**
	 * Returns the lease for the callback, which covers exactly the names that this call
	 * requested.
	 */
	public Lease lease() {
		BoundLease acquired = this.acquiredLease;
		if (acquired != null && this.reEntered.isEmpty()) {
			return acquired;
		}
		return new LeaseView(names(), leases(), acquired);
	}

	Set<String> names() {
		return Collections.unmodifiableSet(new TreeSet<>(this.request.resources()));
	}

	public Lease leaseWith(Lease acquired) {
		store(acquired);
		try {
			begin();
		}
		catch (LockLostException ex) {
			cancelUnlessBegun();
			throw ex;
		}
		return leaseToClose();
	}

	/**
	 * Returns one lease on all requested names, which the caller must close. An open
	 * transaction keeps the leases that were acquired in it.
	 */
	public Lease leaseToClose() {
		List<GrantedLease> taken = takenInTransaction();
		taken.forEach((lease) -> TransactionHold.keep(lease, onLoss()));
		return leaseToClose(taken);
	}

	/**
	 * Returns null if the caller has cancelled this call.
	 */
	@Nullable Lease leaseUnlessCancelled() {
		return begin() ? leaseToClose(takenInTransaction()) : null;
	}

	/**
	 * @param kept the leases that the transaction keeps
	 */
	public Lease leaseToClose(List<GrantedLease> kept) {
		List<GrantedLease> counted = kept.stream()
			.filter((lease) -> lease == this.acquiredLease || lease.addCall())
			.toList();
		return counted.isEmpty() ? lease() : new AcquiredLease(names(), leases(), counted);
	}

	/**
	 * Returns the leases of this call that were acquired in the open transaction: the
	 * lease that this call acquired itself, and leases that the transaction keeps.
	 */
	List<GrantedLease> takenInTransaction() {
		return this.heldByTransaction ? granted().stream()
			.filter((lease) -> lease == this.acquiredLease || this.site.heldByTx().contains(lease))
			.toList() : List.of();
	}

	/**
	 * Returns the nested leases, followed by the lease that this call acquired itself.
	 */
	List<BoundLease> leases() {
		BoundLease acquired = this.acquiredLease;
		if (acquired != null && this.reEntered.isEmpty()) {
			return List.of(acquired);
		}
		return Stream.<BoundLease>concat(this.reEntered.stream(), Stream.ofNullable(acquired)).toList();
	}

	/**
	 * The leases of outer calls are added to {@link CurrentLease} too, because the
	 * callback may run on another thread than its outer calls.
	 */
	CurrentLease bindToThread(Lease callbackLease) {
		if (this.reEntered.isEmpty() && this.site.current().isEmpty()) {
			return CurrentLease.open(callbackLease);
		}
		List<Lease> leases = leasesForThread(callbackLease, CurrentLease.all());
		// Closing the outermost CurrentLease scope also closes the scopes that were
		// opened after it.
		CurrentLease outermost = CurrentLease.open(leases.get(0));
		leases.subList(1, leases.size()).forEach(CurrentLease::open);
		return outermost;
	}

	/**
	 * Returns the leases to add to {@link CurrentLease} on the callback's thread, the
	 * lease of the callback last.
	 */
	List<Lease> leasesForThread(Lease callbackLease, List<Lease> current) {
		List<Lease> leases = new ArrayList<>(this.site.current());
		leases.removeIf(
				(lease) -> lease instanceof LeaseView view && view.bound().stream().allMatch(BoundLease::isClosed));
		Collections.reverse(leases);
		leases.removeAll(current);
		leases.add(callbackLease);
		return leases;
	}

	LossPolicy onLoss() {
		return this.request.onLoss();
	}

	boolean isInterruptedOnLoss() {
		return onLoss() == LossPolicy.INTERRUPT;
	}

	public boolean mayHaveCommitted() {
		return this.mayHaveCommitted;
	}

	/**
	 * Returns the exception for the first lost lease, with the exceptions for other lost
	 * leases as suppressed.
	 */
	public Optional<LockLostException> loss(boolean committed) {
		List<LockLostException> losses = leases().stream()
			.flatMap((lease) -> lease.lossToReport(onLoss())
				.stream()
				.map((reason) -> lossException(lease, reason, committed)))
			.toList();
		losses.stream().skip(1).forEach((further) -> losses.get(0).addSuppressed(further));
		return losses.stream().findFirst();
	}

	LockLostException lossOf(Lease callbackLease, LossReason reason, boolean committed) {
		return loss(committed).orElseGet(() -> lossException(callbackLease, reason, committed));
	}

	/**
	 * A loss after a commit is a {@link LockLostAfterCommitException}, because a retry
	 * could repeat the committed transaction.
	 */
	LockLostException lossException(Lease lease, LossReason reason, boolean committed) {
		return committed ? new LockLostAfterCommitException(lease.resources(), reason) : BoundLease.lossException(lease,
				reason, Stream.of(leases(), this.site.leases()).<Lease>flatMap(List::stream).toList());
	}

	public void release() {
		if (this.state.compareAndSet(State.BEGUN, State.DONE)) {
			BoundLease.endCalls(leases());
		}
		else {
			cancelUnlessBegun();
		}
	}

	boolean isHeldByTransaction() {
		return this.heldByTransaction;
	}

	List<GrantedLease> granted() {
		return leases().stream().map(BoundLease::granted).distinct().toList();
	}

	/**
	 * Releases the leases of this call without blocking, and does nothing when called
	 * again.
	 * @return completes when the caller may get its result: at once, or after the release
	 * if {@code redlock.release.await} is true
	 */
	CompletableFuture<?> releaseAsync() {
		if (this.state.compareAndSet(State.BEGUN, State.DONE)) {
			CompletableFuture<?> released = endCallsAsync();
			if (this.redlock != null && this.redlock.settings().awaitRelease()) {
				return released;
			}
		}
		cancelUnlessBegun();
		return CompletableFuture.completedFuture(null);
	}

	private CompletableFuture<?> endCallsAsync() {
		return CompletableFuture
			.allOf(leases().stream().map(BoundLease::endCallAsync).toArray(CompletableFuture<?>[]::new));
	}

	private void requireValid(BoundLease lease) {
		if (!lease.isValid()) {
			throw lossException(lease, lease.lossReason().orElse(LossReason.EXPIRED), false);
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

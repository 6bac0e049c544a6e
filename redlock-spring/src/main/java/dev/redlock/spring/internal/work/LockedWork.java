package dev.redlock.spring.internal.work;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockLostAfterCommitException;
import dev.redlock.LockLostException;
import dev.redlock.LossPolicy;
import dev.redlock.LossReason;
import dev.redlock.spring.internal.lease.AcquiredLease;
import dev.redlock.spring.internal.lease.BoundLease;
import dev.redlock.spring.internal.lease.GrantedLease;
import dev.redlock.spring.internal.lease.LeaseView;
import dev.redlock.spring.internal.lease.LossInterrupt;
import dev.redlock.spring.internal.lease.NestedLease;
import dev.redlock.spring.internal.transaction.TransactionHold;
import org.jspecify.annotations.Nullable;

/**
 * One call of a template with its leases: those of outer calls that the call has
 * re-entered, and the lease that the call has acquired. A call that was refused its lock
 * only releases what it has.
 *
 * <pre>
 *  READY --- callback begins ---&gt; BEGUN --- release ---&gt; DONE
 *    |
 *    '--- released or cancelled before ---&gt; CANCELLED
 * </pre>
 *
 * A granted lease is released when its last use ends. If an open transaction keeps
 * leases, the uses are of:
 *
 * <pre>
 *  The lease was acquired by   A call with a callback   A caller that closes the lease
 *  this call                   call, transaction        caller, transaction
 *  a transaction before        call, transaction        caller, transaction
 *  a call around it            call, transaction        none: that call releases it
 * </pre>
 *
 * If no transaction keeps them, a call uses all its leases, and a caller that closes its
 * lease uses only what this call has acquired.
 */
public final class LockedWork {

	private final WorkRequest request;

	private final List<BoundLease> leases;

	/**
	 * The lease that this call has acquired, borrowed or pretends to have; null if it has
	 * only leases of outer calls.
	 */
	private final @Nullable BoundLease acquired;

	private final AtomicReference<State> state = new AtomicReference<>(State.READY);

	LockedWork(WorkRequest request, List<NestedLease> reEntered, @Nullable GrantedLease granted) {
		this.request = request;
		this.acquired = (granted != null && request.isHeldByTransaction() && !request.acquiresOnly())
				? granted.nestedWithFirstUse() : granted;
		this.leases = Stream.<BoundLease>concat(reEntered.stream(), Stream.ofNullable(this.acquired)).toList();
	}

	public <T extends @Nullable Object> T call(Lease callbackLease, Callable<T> action) throws Exception {
		if (!begin()) {
			throw new CancellationException(
					"The caller has cancelled the locked work on " + this.request.request().resources());
		}
		keepInTransaction();
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
			this.leases.forEach(this.request.site()::requireValid);
		}
		catch (LockLostException ex) {
			if (this.state.get() != State.CANCELLED) {
				throw ex;
			}
		}
		boolean begun = this.state.compareAndSet(State.READY, State.BEGUN);
		if (begun) {
			this.leases.forEach((lease) -> lease.granted().markUsed());
		}
		return begun;
	}

	boolean hasBegun() {
		return this.state.get() == State.BEGUN || this.state.get() == State.DONE;
	}

	/**
	 * Releases the leases if the callback has not begun.
	 * @return false if the callback has begun, or if the call was cancelled before
	 */
	boolean cancelUnlessBegun() {
		boolean first = this.state.compareAndSet(State.READY, State.CANCELLED);
		if (first) {
			endUsesAsync();
		}
		return first;
	}

	/**
	 * Returns the lease for the callback, which covers exactly the names that this call
	 * requested.
	 */
	public Lease lease() {
		return (this.acquired != null && this.leases.size() == 1) ? this.acquired
				: new LeaseView(names(), this.leases, this.acquired);
	}

	private Set<String> names() {
		return Collections.unmodifiableSet(new TreeSet<>(this.request.request().resources()));
	}

	/**
	 * Returns one lease on all requested names, which the caller must close. An open
	 * transaction keeps the leases that were acquired in it.
	 */
	Lease leaseToClose() {
		try {
			begin();
		}
		catch (LockLostException ex) {
			cancelUnlessBegun();
			throw ex;
		}
		keepInTransaction();
		return keptLease();
	}

	/**
	 * Returns the lease that the caller must close, after the transaction has kept
	 * {@link #keptByTransaction()}; null if the caller has cancelled this call.
	 */
	@Nullable Lease keptLeaseUnlessCancelled() {
		return begin() ? keptLease() : null;
	}

	/**
	 * Gives the caller one use of each lease that the transaction keeps. For the acquired
	 * lease, that is its first use.
	 */
	private Lease keptLease() {
		List<GrantedLease> used = keptByTransaction().stream()
			.filter((lease) -> lease == this.acquired || lease.addUse())
			.toList();
		return used.isEmpty() ? lease() : new AcquiredLease(names(), this.leases, used);
	}

	private void keepInTransaction() {
		keptByTransaction().forEach((lease) -> TransactionHold.keep(lease, onLoss()));
	}

	/**
	 * Returns the leases that the open transaction must keep.
	 */
	List<GrantedLease> keptByTransaction() {
		if (!this.request.isHeldByTransaction()) {
			return List.of();
		}
		return this.request.acquiresOnly() ? granted().stream().filter(this::isOfTransaction).toList() : granted();
	}

	private boolean isOfTransaction(GrantedLease lease) {
		return lease == this.acquired || this.request.site().heldByTx().contains(lease);
	}

	List<BoundLease> leases() {
		return this.leases;
	}

	/**
	 * The leases of outer calls are added to {@link CurrentLease} too, because the
	 * callback may run on another thread than its outer calls.
	 */
	CurrentLease bindToThread(Lease callbackLease) {
		if (this.request.site().current().isEmpty()) {
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
		List<Lease> leases = new ArrayList<>(this.request.site().current());
		leases.removeIf(
				(lease) -> lease instanceof LeaseView view && view.bound().stream().allMatch(BoundLease::isClosed));
		Collections.reverse(leases);
		leases.removeAll(current);
		leases.add(callbackLease);
		return leases;
	}

	LossPolicy onLoss() {
		return this.request.request().onLoss();
	}

	boolean isInterruptedOnLoss() {
		return onLoss() == LossPolicy.INTERRUPT;
	}

	public boolean mayHaveCommitted() {
		return this.request.commit() == WorkRequest.Commit.CALLBACK;
	}

	/**
	 * Returns the exception for the first lost lease, with the exceptions for other lost
	 * leases as suppressed.
	 */
	public Optional<LockLostException> loss(boolean committed) {
		List<LockLostException> losses = new ArrayList<>();
		// Each call asks for its loss, and a loop is faster than a stream.
		for (BoundLease lease : this.leases) {
			lease.lossToReport(onLoss()).ifPresent((reason) -> losses.add(lossException(lease, reason, committed)));
		}
		if (losses.isEmpty()) {
			return Optional.empty();
		}
		losses.subList(1, losses.size()).forEach(losses.get(0)::addSuppressed);
		return Optional.of(losses.get(0));
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
				reason, Stream.of(this.leases, this.request.site().leases()).<Lease>flatMap(List::stream).toList());
	}

	public void release() {
		if (this.state.compareAndSet(State.BEGUN, State.DONE)) {
			BoundLease.endUses(this.leases);
		}
		else {
			cancelUnlessBegun();
		}
	}

	List<GrantedLease> granted() {
		return this.leases.stream().map(BoundLease::granted).distinct().toList();
	}

	/**
	 * Releases the leases of this call without blocking, and does nothing when called
	 * again.
	 * @return completes when the caller may get its result: at once, or after the release
	 * if {@code redlock.release.await} is true
	 */
	CompletableFuture<?> releaseAsync() {
		if (this.state.compareAndSet(State.BEGUN, State.DONE)) {
			CompletableFuture<?> released = endUsesAsync();
			if (this.request.redlock() != null && this.request.redlock().settings().awaitRelease()) {
				return released;
			}
		}
		cancelUnlessBegun();
		return CompletableFuture.completedFuture(null);
	}

	private CompletableFuture<?> endUsesAsync() {
		return CompletableFuture
			.allOf(this.leases.stream().map(BoundLease::endUseAsync).toArray(CompletableFuture<?>[]::new));
	}

	private enum State {

		READY, CANCELLED, BEGUN, DONE

	}

}

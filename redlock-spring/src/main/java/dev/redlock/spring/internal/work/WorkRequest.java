package dev.redlock.spring.internal.work;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.spring.internal.lease.BoundLease;
import dev.redlock.spring.internal.lease.GrantedLease;
import dev.redlock.spring.internal.lease.LentLease;
import dev.redlock.spring.internal.lease.NestedLease;
import dev.redlock.spring.internal.lease.PretendedLease;
import dev.redlock.spring.internal.transaction.LeasesHeldByTransaction;
import dev.redlock.spring.internal.transaction.TransactionHold;
import org.jspecify.annotations.Nullable;

/**
 * What one call of a template asks for, before the call has acquired a lock. The call
 * re-enters the leases of outer calls, and acquires a lease for names that no outer lease
 * covers, or runs under a lent or pretended lease. Blocking, asynchronous and reactive
 * calls differ only in how they wait for the lock.
 *
 * @param redlock acquires the lock; null for a call under a lent or pretended lease
 * @param outer the leases for names that outer calls have locked, not re-entered yet
 * @param given the lent or pretended lease; null if there is none, or if an outer call
 * has got the lent lease, so that this call can only re-enter it
 * @param acquiresOnly whether the caller closes the lease itself, so that no callback
 * runs under the lease and no outer lease is re-entered
 */
public record WorkRequest(@Nullable Redlock redlock, LockRequest request, CallSite site, List<NestedLease> outer,
		@Nullable GrantedLease given, Commit commit, boolean acquiresOnly) {

	private WorkRequest(@Nullable Redlock redlock, LockRequest request, CallSite site, List<NestedLease> outer,
			@Nullable GrantedLease given) {
		this(redlock, request, site, outer, given,
				site.transaction().open() ? Commit.OUTER_TRANSACTION : Commit.CALLBACK, false);
	}

	/**
	 * Creates a request of a call that locks names, except those that its outer calls
	 * have locked.
	 * @throws LockLostException if an outer lease is no longer valid, so that another
	 * process may have the lock
	 */
	public static WorkRequest locking(LockRequest request, Redlock redlock, CallSite site) {
		// A request with a ticket carries on another lease than those of its outer calls.
		List<NestedLease> outer = (request.ticket() != null) ? List.of()
				: site.nestedLeases(request.resources(), redlock);
		WorkRequest work = new WorkRequest(redlock, request, site, outer, null);
		outer.forEach(work::requireReEntrable);
		return work;
	}

	/**
	 * Creates a request of a call under a lease that its owner lends. A nested call runs
	 * under the lease of its outer call, even when the owner lends no more.
	 */
	public static WorkRequest borrowing(LockRequest request, Redlock redlock,
			Function<CompletionStage<Void>, Lease> owner, CallSite site) {
		List<NestedLease> outer = site.reEntrable(request.resources().get(0), redlock)
			.filter((held) -> held.granted() instanceof LentLease)
			.map((held) -> List.of(new NestedLease(held, held.resources())))
			.orElse(List.of());
		GrantedLease lent = outer.isEmpty() ? LentLease.from(redlock, owner, site.transaction().open()) : null;
		return new WorkRequest(null, request, site, outer, lent);
	}

	public static WorkRequest withoutLock(LockRequest request, CallSite site) {
		return new WorkRequest(null, request, site, List.of(),
				new GrantedLease(null, PretendedLease.of(request.resources()), request.permits(),
						site.transaction().open(), LeasesHeldByTransaction.keeper()));
	}

	/**
	 * Makes the call release its leases when it ends, and not at the end of the outer
	 * transaction.
	 * @param suspends whether the callback suspends the outer transaction, cannot see its
	 * uncommitted writes, and commits itself; false if the callback only reads
	 */
	public WorkRequest releasingAtEnd(boolean suspends) {
		if (!suspends) {
			return isHeldByTransaction() ? with(Commit.NONE, this.acquiresOnly) : this;
		}
		if (this.site.transaction().writing() && !this.outer.isEmpty()) {
			throw uncommitted(this.outer.get(0));
		}
		return with(Commit.CALLBACK, this.acquiresOnly);
	}

	/**
	 * Makes the call acquire a lease that the caller must close.
	 */
	public WorkRequest acquiringOnly() {
		return with(this.commit, true);
	}

	/**
	 * Fails if this thread's transaction may have uncommitted writes under a requested
	 * name, because asynchronous code could not see these writes.
	 */
	public WorkRequest refuseUncommitted() {
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
	 * @return the call, whose leases must be released by {@link LockedWork#release()}
	 */
	public LockedWork acquire() {
		List<NestedLease> reEntered = reEnter();
		try {
			awaitEarlierCalls(reEntered);
			return uncovered(reEntered)
				.map((uncovered) -> granted(reEntered, lock().attemptInScope(uncovered).orThrow()))
				.orElseGet(() -> new LockedWork(this, reEntered, this.given));
		}
		catch (Throwable failure) {
			refused(reEntered, failure);
			throw failure;
		}
	}

	/**
	 * Takes the steps of {@link #acquire} without blocking a thread: waits for earlier
	 * nested calls, then acquires the names that no outer lease covers.
	 * @param givenUp completes when the caller no longer wants the lock: the step that
	 * waits is cancelled, and a call that has its lock releases it, unless the callback
	 * has begun
	 */
	CompletableFuture<LockedWork> acquireAsync(CompletableFuture<?> givenUp) {
		List<NestedLease> reEntered = this.acquiresOnly ? this.outer : reEnter();
		CompletableFuture<Void> admitted = stoppedBy(givenUp, earlierCallsEnded(reEntered));
		CompletableFuture<LockedWork> acquired = admitted.thenCompose((nothing) -> attempt(reEntered, givenUp));
		return acquired.whenComplete((work, failure) -> {
			if (failure != null) {
				refused(reEntered, AsyncExecution.unwrap(failure));
			}
			else {
				givenUp.whenComplete((value, ended) -> work.cancelUnlessBegun());
			}
		});
	}

	public boolean needsLock() {
		return uncovered(this.outer).isPresent();
	}

	/**
	 * Acquires a lease for the names that no outer lease covers, which
	 * {@link #leaseToClose} needs.
	 */
	public LockAttempt attemptAndWait() {
		return lock().attemptAndWait(uncovered(this.outer).orElseThrow());
	}

	/**
	 * Returns one lease on all requested names, which the caller must close.
	 * @param acquired the lease for the names that no outer lease covers; null if outer
	 * leases cover all names
	 */
	public Lease leaseToClose(@Nullable Lease acquired) {
		return ((acquired != null) ? granted(this.outer, acquired) : new LockedWork(this, this.outer, this.given))
			.leaseToClose();
	}

	boolean isHeldByTransaction() {
		return this.commit == Commit.OUTER_TRANSACTION;
	}

	private WorkRequest with(Commit commit, boolean acquiresOnly) {
		return new WorkRequest(this.redlock, this.request, this.site, this.outer, this.given, commit, acquiresOnly);
	}

	private void requireReEntrable(BoundLease lease) {
		lease.granted().requireSamePermits(this.request.permits());
		this.site.requireValid(lease);
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
	 * Re-enters the outer leases. If one of them is being released, this call must itself
	 * acquire the names of that lease.
	 * @throws LockNotAcquiredException if that lease was lent, because this call cannot
	 * acquire another lease
	 */
	private List<NestedLease> reEnter() {
		List<NestedLease> reEntered = this.outer.stream().filter(NestedLease::reEnter).toList();
		if (this.redlock == null && this.given == null && reEntered.isEmpty()) {
			throw new LockNotAcquiredException(Set.copyOf(this.request.resources()), Reason.HELD, List.of(), 0,
					Duration.ZERO);
		}
		return reEntered;
	}

	private void awaitEarlierCalls(List<NestedLease> reEntered) {
		try {
			earlierCallsEnded(reEntered).get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw notAdmitted(Reason.INTERRUPTED);
		}
		catch (ExecutionException ex) {
			throw (LockNotAcquiredException) ex.getCause();
		}
	}

	/**
	 * Waits for earlier nested calls that lock a name of this call, at most as long as
	 * the request allows.
	 */
	private CompletableFuture<Void> earlierCallsEnded(List<NestedLease> reEntered) {
		CompletableFuture<Void> all = CompletableFuture
			.allOf(reEntered.stream().map(NestedLease::admitted).toArray(CompletableFuture<?>[]::new));
		if (all.isDone()) {
			return all;
		}
		Duration longest = (this.request.waitFor() != null) ? this.request.waitFor() : lock().settings().waitFor();
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

	private CompletableFuture<LockedWork> attempt(List<NestedLease> reEntered, CompletableFuture<?> givenUp) {
		return uncovered(reEntered)
			.map((uncovered) -> stoppedBy(givenUp, lock().attempt(uncovered).toCompletableFuture())
				.thenApply((attempt) -> granted(reEntered, attempt.orThrow())))
			.orElseGet(() -> CompletableFuture.completedFuture(new LockedWork(this, reEntered, this.given)));
	}

	private static <T> CompletableFuture<T> stoppedBy(CompletableFuture<?> givenUp, CompletableFuture<T> wait) {
		givenUp.whenComplete((value, failure) -> wait.cancel(false));
		return wait;
	}

	private LockedWork granted(List<NestedLease> reEntered, Lease lease) {
		return new LockedWork(this, reEntered, new GrantedLease(this.redlock, lease, this.request.permits(),
				isHeldByTransaction(), LeasesHeldByTransaction.keeper()));
	}

	private void refused(List<NestedLease> reEntered, Throwable failure) {
		LockedWork refused = new LockedWork(this, reEntered, this.given);
		refused.loss(false).ifPresent(failure::addSuppressed);
		refused.release();
	}

	/**
	 * Returns the request for the names that the leases do not cover; empty if the call
	 * needs no lock.
	 */
	private Optional<LockRequest> uncovered(List<NestedLease> covering) {
		List<String> names = new ArrayList<>(this.request.resources());
		covering.forEach((lease) -> names.removeAll(lease.resources()));
		return (this.given != null || names.isEmpty()) ? Optional.empty()
				: Optional.of(this.request.withResources(names));
	}

	private Redlock lock() {
		return Objects.requireNonNull(this.redlock);
	}

	private static IllegalStateException uncommitted(BoundLease lease) {
		return new IllegalStateException("A new transaction cannot run under the lock on " + lease.resources()
				+ " that this thread holds: the new transaction would not see the uncommitted writes of the outer "
				+ "transaction. Call the method in the outer transaction, or after its end.");
	}

	/**
	 * Which commit makes the writes of the callback visible to other processes.
	 */
	enum Commit {

		/**
		 * The transaction around the call, which keeps the leases until it has completed.
		 */
		OUTER_TRANSACTION,

		/**
		 * A commit of the callback itself.
		 */
		CALLBACK,

		/**
		 * No commit, because the callback only reads.
		 */
		NONE

	}

}

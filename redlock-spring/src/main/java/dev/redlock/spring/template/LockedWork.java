package dev.redlock.spring.template;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockLostAfterCommitException;
import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.LossPolicy;
import dev.redlock.LossReason;
import dev.redlock.Redlock;
import dev.redlock.internal.Engine;
import dev.redlock.internal.LeaseScope;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One piece of work and the leases that it runs under: the leases of outer work that it
 * re-enters, and its own lease for the resources that they do not cover. Blocking,
 * asynchronous and reactive work differ only in how they wait.
 */
final class LockedWork {

	private static final Logger logger = LoggerFactory.getLogger(LockedWork.class);

	private final @Nullable Redlock redlock;

	private final LockRequest request;

	private final CallSite site;

	/**
	 * The leases to re-enter; after entering, the parts of them that belong to this work.
	 */
	private final List<BoundLease> outer;

	/** The names of each lease to re-enter that this work asked for. */
	private final Map<BoundLease, Set<String>> names;

	private final List<String> missing;

	/** Whether the work ends its leases itself, instead of the transaction around it. */
	private volatile boolean apart;

	/** Whether what the work writes may be committed when it ends. */
	private volatile boolean commits;

	private final AtomicBoolean released = new AtomicBoolean();

	private volatile @Nullable BoundLease own;

	private volatile boolean begun;

	private LockedWork(@Nullable Redlock redlock, LockRequest request, CallSite site, Collection<BoundLease> outer,
			Map<BoundLease, Set<String>> names) {
		this.redlock = redlock;
		this.request = request;
		this.site = site;
		this.commits = !site.inTransaction();
		this.outer = List.copyOf(outer);
		this.names = names;
		this.missing = new ArrayList<>(request.resources());
		outer.forEach((lease) -> this.missing.removeAll(lease.resources()));
	}

	/**
	 * Creates work that re-enters leases of the same lock.
	 * @throws LockLostException if one of these leases is no longer valid: another
	 * process may have the lock by now
	 * @throws IllegalStateException if the request is for a tick, which only a new lease
	 * can take, or if one of these leases has another number of permits, or covers
	 * uncommitted data of a suspended transaction
	 */
	static LockedWork reEntering(LockRequest request, Redlock redlock, CallSite site) {
		Map<BoundLease, Set<String>> names = new LinkedHashMap<>();
		request.resources()
			.forEach((resource) -> held(resource, redlock, site)
				.ifPresent((lease) -> names.computeIfAbsent(lease, (absent) -> new TreeSet<>()).add(resource)));
		Set<BoundLease> outer = names.keySet();
		outer.forEach((lease) -> {
			lease.requireAsExclusive(request.permits());
			requireValid(lease);
			if (lease.root().isSuspended()) {
				throw uncommitted(lease);
			}
		});
		if (request.tick() != null && !outer.isEmpty()) {
			throw new IllegalStateException("A tick of " + request.resources()
					+ " cannot begin under that lock, which this thread holds already. Ask for it outside of the lock.");
		}
		LockedWork work = new LockedWork(redlock, request, site, outer, names);
		if (!outer.isEmpty() && !request.atLeast().isZero()) {
			work.logIgnoredAtLeast();
		}
		return work;
	}

	/**
	 * Creates work that acquires nothing, because it runs under a lease that many pieces
	 * of work share. Inner work runs under the same lease, even when the lease admits no
	 * other work any more.
	 */
	static LockedWork sharing(LockRequest request, Redlock redlock, Supplier<SharedLease> shared, CallSite site) {
		BoundLease lease = held(request.resources().get(0), redlock, site).filter(SharedLease::isShared)
			.orElseGet(() -> shared.get().bound());
		requireValid(lease);
		return new LockedWork(null, request, site, List.of(lease), Map.of());
	}

	/**
	 * Creates work that excludes no other work.
	 */
	static LockedWork withoutLock(LockRequest request, CallSite site) {
		LockedWork work = new LockedWork(null, request, site, List.of(), Map.of());
		work.acquired(PretendedLease.of(work.missing));
		return work;
	}

	/**
	 * Lets the work end its leases itself, instead of the transaction around it.
	 * @param suspends whether the work suspends that transaction, and cannot see its
	 * writes
	 * @throws IllegalStateException if it would not, under a lease that it re-enters
	 */
	LockedWork apart(boolean suspends) {
		if (suspends && this.site.writing() && !this.outer.isEmpty()) {
			throw uncommitted(this.outer.get(0));
		}
		this.apart = true;
		this.commits |= suspends;
		return this;
	}

	private static IllegalStateException uncommitted(BoundLease lease) {
		return new IllegalStateException("A new transaction cannot run under the lock on " + lease.resources()
				+ " that this thread holds: it would not see what the transaction around it has not committed. Call it"
				+ " in the same transaction, or after its end.");
	}

	boolean isApart() {
		return this.apart;
	}

	/**
	 * Re-enters the outer leases, and keeps them until this work is released. A lease
	 * whose last work ends at this moment cannot be kept. Its resources must then be
	 * acquired anew.
	 * @throws LockNotAcquiredException if a lease cannot be kept, and the work may not
	 * acquire a new one
	 */
	LockedWork retained() {
		if (this.outer.isEmpty()) {
			return this;
		}
		List<BoundLease> retained = this.outer.stream().filter(BoundLease::retain).toList();
		if (this.redlock != null) {
			LockedWork nested = new LockedWork(this.redlock, this.request, this.site,
					retained.stream()
						.<BoundLease>map(
								(lease) -> NestedLease.of(lease, Objects.requireNonNull(this.names.get(lease))))
						.toList(),
					Map.of());
			nested.apart = this.apart;
			nested.commits = this.commits;
			return nested;
		}
		if (retained.isEmpty()) {
			throw new LockNotAcquiredException(Set.copyOf(this.request.resources()), Reason.HELD, List.of(), 0,
					Duration.ZERO);
		}
		return this;
	}

	/**
	 * Refuses asynchronous work on names that a transaction of this thread keeps. The
	 * work could not see the uncommitted writes, and the thread that must commit may wait
	 * for the work.
	 * @throws IllegalStateException if there is such a name
	 */
	LockedWork outsideOfTransaction() {
		if (KeptLeases.TRANSACTIONS && this.redlock != null) {
			for (BoundLease kept : TransactionHold.leases()) {
				Set<String> names = new TreeSet<>(this.request.resources());
				names.retainAll(kept.resources());
				if (kept.isOf(this.redlock) && !kept.isClosed() && !names.isEmpty()) {
					throw new IllegalStateException("The transaction of this thread keeps the lock on " + names
							+ " until it has completed, and asynchronous work would not see what is not committed."
							+ " Start that work after the transaction, or call a blocking method.");
				}
			}
		}
		return this;
	}

	/**
	 * Completes when no sibling of this work runs on the same names.
	 * @return fails with {@link LockNotAcquiredException} when the time to wait is over
	 */
	CompletableFuture<Void> entered() {
		if (this.outer.isEmpty()) {
			return CompletableFuture.completedFuture(null);
		}
		CompletableFuture<?>[] parts = this.outer.stream()
			.filter(NestedLease.class::isInstance)
			.map((lease) -> ((NestedLease) lease).entered())
			.toArray(CompletableFuture<?>[]::new);
		CompletableFuture<Void> all = CompletableFuture.allOf(parts);
		if (all.isDone()) {
			return all;
		}
		Duration longest = (this.request.waitFor() != null) ? this.request.waitFor() : redlock().settings().waitFor();
		if (longest.isZero()) {
			return CompletableFuture.failedFuture(notEntered(Reason.HELD));
		}
		return all.copy()
			.orTimeout(longest.toNanos(), TimeUnit.NANOSECONDS)
			.exceptionallyCompose((late) -> CompletableFuture.failedFuture(notEntered(Reason.HELD)));
	}

	LockNotAcquiredException notEntered(Reason reason) {
		return new LockNotAcquiredException("The lock on " + this.request.resources() + " was not acquired: " + reason
				+ ", other work inside of the same lock still runs. Join that work before you ask again, or raise"
				+ " waitFor.", reason);
	}

	boolean needsLock() {
		return this.own == null && !this.missing.isEmpty();
	}

	/**
	 * Returns the lock for the missing resources. Work without a lock does not call this.
	 */
	Redlock redlock() {
		return Objects.requireNonNull(this.redlock);
	}

	/**
	 * Returns the request for the missing resources.
	 */
	LockRequest missing() {
		return this.request.withResources(this.missing);
	}

	/**
	 * Stores the lease on the missing resources.
	 */
	void acquired(Lease lease) {
		this.own = new BoundLease(this.redlock, lease, this.request.permits());
	}

	/**
	 * Begins the work and runs it in this thread. If the request says so, a loss
	 * interrupts the thread.
	 * @param seen the lease that the work sees
	 */
	<T extends @Nullable Object> T call(Lease seen, Callable<T> action) throws Exception {
		begin();
		LeaseScope scope = bindToThread(seen);
		try {
			return isInterruptedOnLoss() ? LossInterrupt.call(roots(), action) : action.call();
		}
		finally {
			scope.close();
		}
	}

	/**
	 * Checks the leases right before the work begins. @throws LockLostException if one of
	 * them has ended during a wait or a pause of the process, so that another process may
	 * do the same work now
	 */
	void begin() {
		leases().forEach(LockedWork::requireValid);
		this.begun = true;
	}

	boolean hasBegun() {
		return this.begun;
	}

	/**
	 * Returns the lease that the work sees. It covers exactly the names that the work
	 * asked for.
	 */
	Lease lease() {
		return lease(this.own);
	}

	/**
	 * Returns the lease that covers the names of the work, for a caller that releases the
	 * acquired lease itself.
	 * @param acquired the lease on the missing resources
	 * @throws LockLostException if an outer lease was lost while the caller waited
	 */
	Lease leaseWith(Lease acquired) {
		try {
			this.outer.forEach(LockedWork::requireValid);
		}
		catch (LockLostException ex) {
			Engine.releaseUnused(acquired);
			throw ex;
		}
		return lease(acquired);
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
	 * Makes the work's lease the current one of this thread until the scope is closed.
	 * The leases that the work may re-enter become current around it.
	 */
	LeaseScope bindToThread(Lease seen) {
		if (this.outer.isEmpty() && this.site.current().isEmpty()) {
			return LeaseScope.open(seen);
		}
		List<Lease> leases = around(seen, CurrentLease.all());
		// Closing the outermost scope also ends the scopes inside it.
		LeaseScope outermost = LeaseScope.open(leases.get(0));
		leases.subList(1, leases.size()).forEach(LeaseScope::open);
		return outermost;
	}

	/**
	 * Returns the leases to make current, from the outside in: the leases of the calling
	 * thread and of outer work, unless they are current already, and then the lease that
	 * the work sees. So inner calls re-enter them on any thread.
	 */
	List<Lease> around(Lease seen, List<Lease> current) {
		List<Lease> leases = new ArrayList<>(this.site.current());
		leases.removeIf(
				(lease) -> lease instanceof LeaseView view && view.bound().stream().allMatch(BoundLease::isClosed));
		Collections.reverse(leases);
		// Granted leases are put outside of their own parts.
		this.outer.stream()
			.map(BoundLease::root)
			.filter((lease) -> !leases.contains(lease))
			.forEach((lease) -> leases.add(0, lease));
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
	 * Returns whether the writes of the work may be committed when it ends, since it
	 * takes part in no transaction around it.
	 */
	boolean commits() {
		return this.commits;
	}

	/**
	 * Returns the loss to report to the caller, with further losses as suppressed.
	 * @param committed whether the writes of the work may be committed
	 */
	Optional<LockLostException> loss(boolean committed) {
		LockLostException first = null;
		for (BoundLease lease : leases()) {
			LockLostException loss = lease.loss(onLoss())
				.map((lost) -> lost(lease, lost.reason(), committed))
				.orElse(null);
			if (first == null) {
				first = loss;
			}
			else if (loss != null) {
				first.addSuppressed(loss);
			}
		}
		return Optional.ofNullable(first);
	}

	/**
	 * Returns the loss that stops the running work.
	 * @param seen the lease that the work sees, which reported the loss
	 */
	LockLostException loss(Lease seen, LossReason reason, boolean committed) {
		return loss(committed).orElseGet(() -> lost(seen, reason, committed));
	}

	private static LockLostException lost(Lease lease, LossReason reason, boolean committed) {
		return committed ? new LockLostAfterCommitException(lease.resources(), reason)
				: new LockLostException(lease.resources(), reason);
	}

	/**
	 * Ends blocking work. A transaction around work that has begun keeps its leases.
	 */
	void release() {
		if (this.begun) {
			keepInTransaction();
			end().forEach(BoundLease::done);
		}
		else {
			releaseAsync();
		}
	}

	/**
	 * Keeps the leases until the transaction of this thread has completed, so that other
	 * processes get the lock only when they can see the writes. A loss before the commit
	 * rolls the transaction back.
	 */
	void keepInTransaction() {
		if (KeptLeases.TRANSACTIONS && !this.apart) {
			for (BoundLease lease : leases()) {
				BoundLease root = lease.root();
				if (root.retain() && !TransactionHold.keep(root, onLoss())) {
					root.done();
				}
			}
		}
	}

	/**
	 * Returns the granted leases behind this work, after retaining each once more.
	 */
	List<BoundLease> retainedRoots() {
		return roots().stream().filter(BoundLease::retain).toList();
	}

	List<BoundLease> roots() {
		return leases().stream().map(BoundLease::root).distinct().toList();
	}

	/**
	 * Ends work that must not block.
	 * @return completes when the caller may be answered, and never exceptionally
	 */
	CompletableFuture<?> releaseAsync() {
		CompletableFuture<?> all = CompletableFuture.allOf(end().stream()
			// Other work has begun under the outer leases.
			.map((lease) -> lease.doneAsync(this.begun || lease != this.own))
			.toArray(CompletableFuture<?>[]::new));
		boolean await = this.redlock != null && this.redlock.settings().awaitRelease();
		return await ? all : CompletableFuture.completedFuture(null);
	}

	/**
	 * Returns the leases to release, and none at a second call, which would release
	 * leases that other work needs.
	 */
	private List<BoundLease> end() {
		return this.released.compareAndSet(false, true) ? leases() : List.of();
	}

	private Lease lease(@Nullable Lease acquired) {
		if (acquired != null && this.outer.isEmpty()) {
			return acquired;
		}
		List<Lease> leases = new ArrayList<>(this.outer);
		if (acquired != null) {
			leases.add(acquired);
		}
		return new LeaseView(Collections.unmodifiableSet(new TreeSet<>(this.request.resources())), leases, acquired);
	}

	private void logIgnoredAtLeast() {
		List<String> held = new ArrayList<>(this.request.resources());
		held.removeAll(this.missing);
		logger.warn("atLeast of {} is ignored for {}, which outer work holds already and releases when it ends. Set"
				+ " atLeast on the outermost call.", this.request.atLeast(), held);
	}

	private static Optional<BoundLease> held(String resource, Redlock lock, CallSite site) {
		return Stream.concat(site.current().stream(), site.kept().stream())
			.flatMap((lease) -> (lease instanceof LeaseView view) ? view.bound().stream() : Stream.empty())
			.filter((lease) -> lease.isOf(lock) && !lease.isClosed() && lease.resources().contains(resource))
			.findFirst();
	}

	private static void requireValid(BoundLease lease) {
		if (!lease.isValid()) {
			throw lease.loss().orElseGet(() -> new LockLostException(lease.resources(), LossReason.EXPIRED));
		}
	}

}

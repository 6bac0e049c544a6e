package dev.redlock.spring.template;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.redlock.Lease;
import dev.redlock.LockLostAfterCommitException;
import dev.redlock.LockLostException;
import dev.redlock.LossPolicy;
import dev.redlock.LossReason;
import dev.redlock.Redlock;
import dev.redlock.ReleaseResult;
import dev.redlock.internal.Engine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease under which a callback of a template or a locked method runs. A granted lease
 * comes from the Redis nodes. A nested lease belongs to a nested call that re-enters an
 * outer lease. A lease is released when the last call under it has ended. Only calls
 * through the {@code Redlock} that granted the lease can re-enter it.
 */
class BoundLease extends LeaseView {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.lease");

	private final @Nullable Redlock redlock;

	private final Lease delegate;

	private final int permits;

	/**
	 * The outer lease, if this is the nested lease of a call that re-enters it; null for
	 * a granted lease.
	 */
	private final @Nullable BoundLease outer;

	/**
	 * Completes when the nested call of this lease may run. Nested calls on the same name
	 * under one outer lease run one after the other.
	 */
	private volatile CompletableFuture<Void> admitted = CompletableFuture.completedFuture(null);

	private final AtomicInteger openCalls = new AtomicInteger(1);

	/**
	 * The number of suspended transactions that may have uncommitted writes under this
	 * lease.
	 */
	private final AtomicInteger suspensions = new AtomicInteger();

	/** Whether a transaction has committed during the outermost call under this lease. */
	private volatile boolean committed;

	/** Whether a callback has begun to run under this granted lease. */
	private volatile boolean used;

	/**
	 * A thread that is interrupted already when this lease is lost; null for none.
	 */
	private volatile @Nullable Thread interrupted;

	/**
	 * The leases of nested calls that have not ended, in the order in which the calls
	 * began to wait.
	 */
	private final Queue<BoundLease> nestedLeases = new ConcurrentLinkedQueue<>();

	private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

	/**
	 * @param redlock the {@code Redlock} that granted the lease; null if no lock was taken
	 * @param permits the number of permits of the locked name; 0 for an exclusive lock
	 */
	BoundLease(@Nullable Redlock redlock, Lease delegate, int permits) {
		super(delegate.resources(), List.of(delegate), delegate);
		this.redlock = redlock;
		this.delegate = delegate;
		this.permits = permits;
		this.outer = null;
	}

	/**
	 * Creates a nested lease, for a nested call that re-enters an outer lease. Other
	 * nested calls on the same names wait until the last call under the new nested lease
	 * has ended.
	 * @param outer the outer lease, which the call re-enters
	 * @param names those names of the outer lease that the nested call requests
	 */
	BoundLease(BoundLease outer, Set<String> names) {
		this(outer, names, null);
	}

	/**
	 * @param own the lease that {@link #close()} releases; null for none
	 */
	private BoundLease(BoundLease outer, Set<String> names, @Nullable Lease own) {
		super(names, List.of(outer), own);
		this.redlock = outer.redlock;
		this.delegate = outer;
		this.permits = outer.permits;
		this.outer = outer;
	}

	/**
	 * Creates a nested lease for the call that acquired this granted lease. The
	 * transaction then holds the granted lease for all of its calls. Later calls on the
	 * same names in the transaction wait until the first call has ended.
	 */
	BoundLease nestedForFirstCall() {
		BoundLease nested = new BoundLease(this, resources(), this);
		this.nestedLeases.add(nested);
		admitNextCalls();
		return nested;
	}

	/**
	 * Returns the granted lease behind this lease, which is this lease itself if it is
	 * not nested.
	 */
	BoundLease granted() {
		return (this.outer != null) ? this.outer.granted() : this;
	}

	/**
	 * Returns the lease of the outermost call: the granted lease or, under a
	 * {@link SharedLease}, the outermost nested lease.
	 */
	private BoundLease outermost() {
		return (this.outer == null || this.outer.isShared()) ? this : this.outer.outermost();
	}

	/**
	 * Whether calls under this granted lease run at the same time, as under the lease of
	 * a leader.
	 */
	boolean isShared() {
		return false;
	}

	@Override
	List<BoundLease> bound() {
		return List.of(this);
	}

	@Override
	public void close() {
		rememberValidity();
		super.close();
	}

	@Override
	public CompletionStage<ReleaseResult> releaseAsync() {
		rememberValidity();
		return super.releaseAsync();
	}

	boolean isOf(@Nullable Redlock lock) {
		return this.redlock != null && this.redlock == lock;
	}

	/**
	 * Checks that a nested call requests the same number of permits as this lease has.
	 * Calls with different numbers of permits do not exclude each other.
	 * @param others the number of permits that the nested call requests; 0 for an
	 * exclusive lock
	 * @throws IllegalStateException if the nested call requests another number of permits
	 */
	void requireSamePermits(int requested) {
		if (this.permits != requested) {
			String name = resources().iterator().next();
			throw new IllegalStateException("A call on '" + name + "' " + text(requested) + " cannot run inside of a "
					+ "call " + text(this.permits)
					+ ": the two calls would not exclude each other. Use the same number of permits in all calls on "
					+ "a name, and another name for a lock without permits.");
		}
	}

	private static String text(int permits) {
		return (permits == 0) ? "without permits" : "with " + permits + " permits";
	}

	/**
	 * Records that the caller will interrupt a thread when this lease is lost.
	 * @return false if the thread was recorded before, so that an outer call already
	 * interrupts it
	 */
	boolean claimInterrupt(Thread thread) {
		Thread recorded = this.interrupted;
		if (recorded == null) {
			this.interrupted = thread;
		}
		return recorded != thread;
	}

	void endInterrupt(Thread thread) {
		if (this.interrupted == thread) {
			this.interrupted = null;
		}
	}

	/**
	 * Makes the outer lease stay until the nested call of this lease has ended.
	 * @return false if the last call under the outer lease has ended, so that the outer
	 * lease is being released
	 */
	boolean reEnter() {
		BoundLease outer = Objects.requireNonNull(this.outer);
		boolean retained = outer.retain();
		if (retained) {
			this.admitted = new CompletableFuture<>();
			outer.nestedLeases.add(this);
			outer.admitNextCalls();
		}
		return retained;
	}

	/**
	 * Returns a future that completes when no earlier nested call under the same outer
	 * lease uses a name of this lease.
	 */
	CompletableFuture<Void> admitted() {
		return this.admitted;
	}

	/**
	 * Lets each nested call run that shares no name with an earlier nested call under
	 * this lease. New nested calls join the queue at the end, so a call that was let run
	 * is never stopped again.
	 */
	private void admitNextCalls() {
		Set<String> needed = new HashSet<>();
		for (BoundLease nested : this.nestedLeases) {
			if (Collections.disjoint(needed, nested.resources())) {
				nested.admitted.complete(null);
			}
			if (!granted().isShared()) {
				needed.addAll(nested.resources());
			}
		}
	}

	/**
	 * Whether a suspended transaction may have uncommitted writes under this lease.
	 */
	boolean isSuspended() {
		return this.suspensions.get() > 0;
	}

	void suspend() {
		this.suspensions.incrementAndGet();
	}

	void resume() {
		this.suspensions.decrementAndGet();
	}

	boolean isClosed() {
		return this.state.get() != State.OPEN || (this.outer != null && this.outer.isClosed());
	}

	/**
	 * Counts one more call under this lease, so that the lease is released only after
	 * that call has ended.
	 * @return false if the last call has ended already, so that the lease is being
	 * released
	 */
	boolean retain() {
		return this.openCalls.getAndUpdate((count) -> (count > 0) ? count + 1 : 0) > 0;
	}

	/**
	 * Ends one call under each of the given leases, and releases the leases whose last
	 * call has ended. A failed release is only logged, so that the caller still gets the
	 * result or the exception of the callback.
	 */
	static void endCalls(List<BoundLease> leases) {
		List<BoundLease> over = leases.stream().flatMap((lease) -> Stream.ofNullable(lease.endCall())).toList();
		try {
			if (over.size() > 1) {
				Engine.closeAll(over.stream().map((lease) -> lease.delegate).toList());
			}
			over.forEach(BoundLease::close);
		}
		catch (RuntimeException ex) {
			over.forEach((lease) -> lease.logNotReleased(ex));
		}
	}

	/**
	 * Ends one call under this lease like {@link #endCalls}, without blocking. A lease under
	 * which no callback has begun to run is released as unused.
	 * @return completes when the release has ended, or at once if nothing is released;
	 * never fails
	 */
	CompletableFuture<?> endCallAsync() {
		BoundLease over = endCall();
		if (over == null) {
			return CompletableFuture.completedFuture(null);
		}
		CompletionStage<ReleaseResult> released;
		try {
			released = over.used ? over.releaseAsync() : Engine.releaseUnused(over.delegate);
		}
		catch (RuntimeException ex) {
			released = CompletableFuture.failedStage(ex);
		}
		return released.toCompletableFuture().handle((result, failure) -> {
			if (failure != null) {
				over.logNotReleased(failure);
			}
			return null;
		});
	}

	/**
	 * Ends one call under this lease.
	 * @return the granted lease, if this was the last call under it; null if other calls
	 * still need the granted lease
	 */
	private @Nullable BoundLease endCall() {
		if (this.openCalls.decrementAndGet() != 0) {
			return null;
		}
		rememberValidity();
		if (this.outer == null) {
			return this;
		}
		if (!this.outer.nestedLeases.remove(this)) {
			// A call that has not re-entered the outer lease was not counted there, so
			// only its nested lease ends.
			return null;
		}
		this.outer.admitNextCalls();
		return this.outer.endCall();
	}

	/**
	 * Returns why this lease was lost before its release. A callback that closes a valid
	 * lease early has not lost the lease.
	 * @return the reason of the loss; empty if the lease is valid or was valid when it
	 * was closed
	 */
	Optional<LossReason> loss() {
		if (this.outer != null) {
			return this.outer.loss();
		}
		State now = this.state.get();
		if (now == State.CLOSED_IN_TIME || (now == State.OPEN && isValid())) {
			// lost() is not called on a valid lease, because the stage that it returns
			// would stay on the lease after each nested call.
			return Optional.empty();
		}
		return Optional.of(lost().toCompletableFuture().getNow(LossReason.EXPIRED));
	}

	/**
	 * Creates the exception that reports the loss of a lease to the caller. The exception
	 * is a {@link LockLostAfterCommitException} if a transaction has committed under an
	 * outer lease, because a retry of the caller could repeat that transaction.
	 * @param around the leases of the call and of its outer calls
	 */
	static LockLostException lost(Lease lease, LossReason reason, List<? extends Lease> around) {
		return bound(around).anyMatch((each) -> each.outermost().committed)
				? new LockLostAfterCommitException(lease.resources(), reason)
				: new LockLostException(lease.resources(), reason);
	}

	/**
	 * Records that a transaction has committed during the outermost call.
	 */
	void markCommitted() {
		outermost().committed = true;
	}

	/**
	 * Records that a callback has begun to run under the granted lease.
	 */
	void markUsed() {
		granted().used = true;
	}

	/**
	 * Logs the loss of this lease, for losses that no exception reports to a caller.
	 */
	void logUnreportedLoss(LossReason reason, String why) {
		logger.atWarn()
			.addKeyValue("redlock.resources", resources())
			.addKeyValue("redlock.reason", reason)
			.log("{}: {}", why, new LockLostException(resources(), reason).getMessage());
	}

	/**
	 * Returns the loss of this lease that an exception must report to the caller. With
	 * {@link LossPolicy#IGNORE} the loss is only logged, and the result is empty.
	 */
	Optional<LossReason> loss(LossPolicy policy) {
		Optional<LossReason> loss = loss();
		if (policy != LossPolicy.IGNORE) {
			return loss;
		}
		loss.ifPresent((ignored) -> logUnreportedLoss(ignored, "Ignored as asked"));
		return Optional.empty();
	}

	@Override
	public String toString() {
		return this.delegate.toString();
	}

	private void rememberValidity() {
		this.state.compareAndSet(State.OPEN, isValid() ? State.CLOSED_IN_TIME : State.CLOSED_TOO_LATE);
	}

	private void logNotReleased(Throwable failure) {
		logger.warn("The lock on {} was not released and ends with its ttl", resources(), failure);
	}

	private enum State {

		OPEN, CLOSED_IN_TIME, CLOSED_TOO_LATE

	}

}

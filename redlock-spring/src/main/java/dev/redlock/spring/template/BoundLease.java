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
 * The lease under which a callback or a locked method runs. If a locked method calls
 * another locked method on the same resource, the inner method runs under a nested lease,
 * which takes no lock of its own. A lease is released when the last method that uses it
 * has ended.
 */
class BoundLease extends LeaseView {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.lease");

	private final @Nullable Redlock redlock;

	private final Lease delegate;

	private final int permits;

	/**
	 * The lease of the outer call, if this is the lease of a nested call; null for a
	 * lease that the Redis nodes granted.
	 */
	private final @Nullable BoundLease outer;

	/**
	 * This future completes when every earlier nested call on a name of this lease has
	 * ended.
	 */
	private volatile CompletableFuture<Void> admitted = CompletableFuture.completedFuture(null);

	private final AtomicInteger openCalls = new AtomicInteger(1);

	/**
	 * The number of suspended transactions that may have uncommitted writes under this
	 * lease.
	 */
	private final AtomicInteger suspensions = new AtomicInteger();

	private volatile boolean committed;

	private volatile boolean used;

	private volatile @Nullable Thread threadToInterrupt;

	/**
	 * The leases of running and waiting nested calls, in the order in which the calls
	 * began to wait.
	 */
	private final Queue<BoundLease> nestedLeases = new ConcurrentLinkedQueue<>();

	private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

	/**
	 * @param permits the number of permits of the locked name; 0 for an exclusive lock
	 */
	BoundLease(@Nullable Redlock redlock, Lease delegate, int permits) {
		super(delegate.resources(), List.of(delegate), delegate);
		this.redlock = redlock;
		this.delegate = delegate;
		this.permits = permits;
		this.outer = null;
	}

	BoundLease(BoundLease outer, Set<String> names) {
		this(outer, names, null);
	}

	private BoundLease(BoundLease outer, Set<String> names, @Nullable Lease own) {
		super(names, List.of(outer), own);
		this.redlock = outer.redlock;
		this.delegate = outer;
		this.permits = outer.permits;
		this.outer = outer;
	}

	/**
	 * Moves the acquiring call to a nested lease, because that call's transaction keeps
	 * this lease for later calls.
	 */
	BoundLease nestedForFirstCall() {
		BoundLease nested = new BoundLease(this, resources(), this);
		this.nestedLeases.add(nested);
		admitNextCalls();
		return nested;
	}

	BoundLease granted() {
		return (this.outer != null) ? this.outer.granted() : this;
	}

	/**
	 * Returns the lease of the outermost call, which is a nested lease if the call runs
	 * under a {@link SharedLease}.
	 */
	private BoundLease outermost() {
		return (this.outer == null || this.outer.isShared()) ? this : this.outer.outermost();
	}

	/**
	 * Whether calls under this lease run at the same time, as under the lease of a
	 * leader.
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
	 * Fails if a nested call requests another number of permits, because the two calls
	 * would not exclude each other.
	 */
	void requireSamePermits(int requested) {
		if (this.permits != requested) {
			String name = resources().iterator().next();
			throw new IllegalStateException("A call on '" + name + "' " + text(requested) + " cannot run inside of a "
					+ "call " + text(this.permits)
					+ ", because both calls could get the lock at the same time. Set the same number of permits on "
					+ "all calls on a name, and lock another name where you need no permits.");
		}
	}

	private static String text(int permits) {
		return (permits == 0) ? "without permits" : "with permits = " + permits;
	}

	/**
	 * Returns false if an outer call will interrupt the thread when this lease is lost.
	 */
	boolean claimInterrupt(Thread thread) {
		Thread recorded = this.threadToInterrupt;
		if (recorded == null) {
			this.threadToInterrupt = thread;
		}
		return recorded != thread;
	}

	void endInterrupt(Thread thread) {
		if (this.threadToInterrupt == thread) {
			this.threadToInterrupt = null;
		}
	}

	/**
	 * Returns false if the outer lease is being released already, so that a nested call
	 * cannot re-enter it.
	 */
	boolean reEnter() {
		BoundLease outer = Objects.requireNonNull(this.outer);
		boolean counted = outer.addCall();
		if (counted) {
			this.admitted = new CompletableFuture<>();
			outer.nestedLeases.add(this);
			outer.admitNextCalls();
		}
		return counted;
	}

	CompletableFuture<Void> admitted() {
		return this.admitted;
	}

	/**
	 * Lets each nested call run that shares no name with an earlier nested call under
	 * this lease.
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

	boolean hasSuspendedWrites() {
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
	 * Counts one more call under this lease, or returns false if the lease is being
	 * released already. A lease is released only after all counted calls have ended.
	 */
	boolean addCall() {
		return this.openCalls.getAndUpdate((count) -> (count > 0) ? count + 1 : 0) > 0;
	}

	/**
	 * A failed release is only logged, so that the caller still gets the result or the
	 * exception of the callback.
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
	 * If no callback has begun under this lease, the release does not record the lease's
	 * scheduled job as run.
	 * @return completes when the release has ended; never fails, because a failed release
	 * is only logged
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
	 * Returns the granted lease to release, or null while other calls still need the
	 * granted lease.
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
			// A nested call that did not re-enter the outer lease is not in the outer
			// lease's count of calls.
			return null;
		}
		this.outer.admitNextCalls();
		return this.outer.endCall();
	}

	/**
	 * Returns why this lease was lost before its release; empty if a callback has closed
	 * the lease while it was valid.
	 */
	Optional<LossReason> loss() {
		if (this.outer != null) {
			return this.outer.loss();
		}
		State now = this.state.get();
		if (now == State.CLOSED_IN_TIME || (now == State.OPEN && isValid())) {
			// lost() is not called on a valid lease, because the lease keeps each stage
			// that lost() returns.
			return Optional.empty();
		}
		return Optional.of(lost().toCompletableFuture().getNow(LossReason.EXPIRED));
	}

	/**
	 * Creates a {@link LockLostAfterCommitException} if a transaction has committed under
	 * one of the leases, because a retry could repeat that transaction.
	 */
	static LockLostException lost(Lease lease, LossReason reason, List<? extends Lease> around) {
		return bound(around).anyMatch((each) -> each.outermost().committed)
				? new LockLostAfterCommitException(lease.resources(), reason)
				: new LockLostException(lease.resources(), reason);
	}

	/**
	 * Remembers a commit, because a retry of the outermost call could repeat the
	 * committed transaction.
	 */
	void markCommitted() {
		outermost().committed = true;
	}

	void markUsed() {
		granted().used = true;
	}

	void logUnreportedLoss(LossReason reason, String why) {
		logger.atWarn()
			.addKeyValue("redlock.resources", resources())
			.addKeyValue("redlock.reason", reason)
			.log("{}: {}", why, new LockLostException(resources(), reason).getMessage());
	}

	/**
	 * Returns why this lease was lost; with {@link LossPolicy#IGNORE}, a loss is only
	 * logged and not returned.
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
		logger.warn("The lock on {} could not be released and ends when its ttl has passed", resources(), failure);
	}

	private enum State {

		OPEN, CLOSED_IN_TIME, CLOSED_TOO_LATE

	}

}

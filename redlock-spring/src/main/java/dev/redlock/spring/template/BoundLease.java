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
 * A lease that work runs under. The lease is released when the last piece of work under
 * it is done. Only calls through the lock that granted the lease can re-enter it.
 */
class BoundLease extends LeaseView {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.lease");

	private final @Nullable Redlock owner;

	private final Lease delegate;

	private final int permits;

	/** The lease that this object is a part of, null for a granted lease. */
	private final @Nullable BoundLease parent;

	/**
	 * A future that completes when no earlier part of the parent shares a name with this
	 * part.
	 */
	private volatile CompletableFuture<Void> admitted = CompletableFuture.completedFuture(null);

	private final AtomicInteger works = new AtomicInteger(1);

	/** The number of suspended transactions that have written under the lease. */
	private final AtomicInteger suspensions = new AtomicInteger();

	/** Whether a transaction has committed inside of the outermost work. */
	private volatile boolean committed;

	/** Whether work has begun under a granted lease. */
	private volatile boolean used;

	/**
	 * The first thread in the list of threads that are interrupted when the lease is
	 * lost.
	 */
	private volatile @Nullable Thread interrupted;

	/**
	 * The parts that have not ended, in the order in which pieces of work requested them.
	 */
	private final Queue<BoundLease> parts = new ConcurrentLinkedQueue<>();

	private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

	/**
	 * @param owner the lock that granted the lease, null for work without a lock
	 * @param permits the number of permits of the name, 0 for a lock
	 */
	BoundLease(@Nullable Redlock owner, Lease delegate, int permits) {
		super(delegate.resources(), List.of(delegate), delegate);
		this.owner = owner;
		this.delegate = delegate;
		this.permits = permits;
		this.parent = null;
	}

	/**
	 * Creates a part of a lease, for work that re-enters the lease. Inner work re-enters
	 * this part. Other work on the same names waits until the last work under this part
	 * is done.
	 * @param names the names of the lease that the work asked for
	 */
	BoundLease(BoundLease parent, Set<String> names) {
		this(parent, names, null);
	}

	/**
	 * @param own the lease that this part may close
	 */
	private BoundLease(BoundLease parent, Set<String> names, @Nullable Lease own) {
		super(names, List.of(parent), own);
		this.owner = parent.owner;
		this.delegate = parent;
		this.permits = parent.permits;
		this.parent = parent;
	}

	/**
	 * Counts the work that acquired this lease as one of the parts of the lease. Other
	 * work of the transaction that keeps the lease waits until that part has ended.
	 */
	BoundLease firstPart() {
		BoundLease part = new BoundLease(this, resources(), this);
		this.parts.add(part);
		admitNext();
		return part;
	}

	/**
	 * Returns the granted lease, which is this lease or the lease that this one is a part
	 * of.
	 */
	BoundLease root() {
		return (this.parent != null) ? this.parent.root() : this;
	}

	/**
	 * Returns the lease of the outermost work: the granted lease or, under a shared
	 * lease, the part that belongs to this work.
	 */
	private BoundLease outermost() {
		return (this.parent == null || this.parent.isShared()) ? this : this.parent.outermost();
	}

	/**
	 * Whether many pieces of work that do not exclude each other run under this granted
	 * lease.
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
		return this.owner != null && this.owner == lock;
	}

	/**
	 * Checks that a request has the same number of permits as this lease, because a
	 * request with another number would exclude other work than the lease does.
	 * @throws IllegalStateException if the request has another number of permits
	 */
	void requireAsExclusive(int others) {
		if (this.permits != others) {
			String name = resources().iterator().next();
			throw new IllegalStateException("A call on '" + name + "' " + text(others) + " cannot run inside of a "
					+ "call " + text(this.permits)
					+ ": the two calls would not exclude each other. Use the same number of permits in all calls on "
					+ "a name, and another name for a lock without permits.");
		}
	}

	private static String text(int permits) {
		return (permits == 0) ? "without permits" : "with " + permits + " permits";
	}

	/**
	 * Records that a thread is interrupted when the lease is lost.
	 * @return false if this thread was recorded before, and must not be interrupted twice
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
	 * Keeps the outer lease for one more piece of work, which runs under this part.
	 * @return false if the last piece of work has ended, and the lease is being released
	 */
	boolean enter() {
		BoundLease outer = Objects.requireNonNull(this.parent);
		boolean retained = outer.retain();
		if (retained) {
			this.admitted = new CompletableFuture<>();
			outer.parts.add(this);
			outer.admitNext();
		}
		return retained;
	}

	/**
	 * Returns a future that completes when no sibling runs on the same names.
	 */
	CompletableFuture<Void> admitted() {
		return this.admitted;
	}

	/**
	 * Lets each part run that shares no name with an earlier part. New parts join at the
	 * end, so a part that may run now may still run later.
	 */
	private void admitNext() {
		Set<String> needed = new HashSet<>();
		for (BoundLease part : this.parts) {
			if (Collections.disjoint(needed, part.resources())) {
				part.admitted.complete(null);
			}
			if (!root().isShared()) {
				needed.addAll(part.resources());
			}
		}
	}

	/**
	 * Whether the lease covers data that a suspended transaction has not committed.
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
		return this.state.get() != State.OPEN || (this.parent != null && this.parent.isClosed());
	}

	/**
	 * Keeps the lease for one more piece of work.
	 * @return false if the last piece of work has ended, and the lease is being released
	 */
	boolean retain() {
		return this.works.getAndUpdate((count) -> (count > 0) ? count + 1 : 0) > 0;
	}

	/**
	 * Ends one piece of work under each of the leases, and releases at once each lease
	 * whose last piece of work has ended. A failed release is logged, so that it hides no
	 * outcome of the work.
	 */
	static void done(List<BoundLease> leases) {
		List<BoundLease> over = leases.stream().flatMap((lease) -> Stream.ofNullable(lease.ended())).toList();
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
	 * Ends one piece of work like {@link #done}, without waiting. A lease under which no
	 * work has begun is released as unused.
	 * @return completes when the release, if any, has ended; never exceptionally
	 */
	CompletableFuture<?> doneAsync() {
		BoundLease over = ended();
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
	 * Ends one piece of work.
	 * @return the granted lease, if this was the last piece of work under it
	 */
	private @Nullable BoundLease ended() {
		if (this.works.decrementAndGet() != 0) {
			return null;
		}
		rememberValidity();
		if (this.parent == null) {
			return this;
		}
		if (!this.parent.parts.remove(this)) {
			// Work that has not entered the outer lease does not keep it.
			return null;
		}
		this.parent.admitNext();
		return this.parent.ended();
	}

	/**
	 * Returns the loss of the lease before its release, if any. Work that closes a valid
	 * lease early has not lost the lease.
	 */
	Optional<LossReason> loss() {
		if (this.parent != null) {
			return this.parent.loss();
		}
		State now = this.state.get();
		if (now == State.CLOSED_IN_TIME || (now == State.OPEN && isValid())) {
			// The loss of a valid lease is not requested, because each nested call would
			// leave a stage on the lease.
			return Optional.empty();
		}
		return Optional.of(lost().toCompletableFuture().getNow(LossReason.EXPIRED));
	}

	/**
	 * Returns the loss of a lease to report to a caller. The kind of loss depends on all
	 * outer leases, because a retry could repeat a transaction that has committed under
	 * one of them.
	 */
	static LockLostException lost(Lease lease, LossReason reason, List<? extends Lease> around) {
		return bound(around).anyMatch((each) -> each.outermost().committed)
				? new LockLostAfterCommitException(lease.resources(), reason)
				: new LockLostException(lease.resources(), reason);
	}

	/**
	 * Records that a transaction has committed inside of the outermost work.
	 */
	void markCommitted() {
		outermost().committed = true;
	}

	/**
	 * Records that work has begun under the granted lease.
	 */
	void markUsed() {
		root().used = true;
	}

	/**
	 * Logs a loss that is reported to no caller.
	 */
	void logUntold(LossReason reason, String why) {
		logger.atWarn()
			.addKeyValue("redlock.resources", resources())
			.addKeyValue("redlock.reason", reason)
			.log("{}: {}", why, new LockLostException(resources(), reason).getMessage());
	}

	/**
	 * Returns the loss to report to the caller. A loss that the policy ignores is logged.
	 */
	Optional<LossReason> loss(LossPolicy policy) {
		Optional<LossReason> loss = loss();
		if (policy != LossPolicy.IGNORE) {
			return loss;
		}
		loss.ifPresent((ignored) -> logUntold(ignored, "Ignored as asked"));
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

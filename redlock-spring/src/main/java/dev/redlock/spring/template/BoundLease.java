package dev.redlock.spring.template;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.redlock.Lease;
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
 * A lease that work runs under. It is released when the last piece of work under it is
 * done. Only calls through the lock that granted it re-enter.
 */
class BoundLease extends LeaseView {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.lease");

	private final @Nullable Redlock owner;

	private final Lease delegate;

	private final int permits;

	private final AtomicInteger works = new AtomicInteger(1);

	private volatile boolean suspended;

	/** The first of the threads that are interrupted when the lease is lost. */
	private volatile @Nullable Thread interrupted;

	/**
	 * The parts that pieces of work have re-entered and that have not ended, in the order
	 * of their requests.
	 */
	private final Queue<NestedLease> parts = new ConcurrentLinkedQueue<>();

	private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

	/**
	 * @param owner the lock that granted the lease, null for work without a lock
	 * @param permits the number of permits of its name, 0 for a lock
	 */
	BoundLease(@Nullable Redlock owner, Lease delegate, int permits) {
		super(delegate.resources(), List.of(delegate), delegate);
		this.owner = owner;
		this.delegate = delegate;
		this.permits = permits;
	}

	/**
	 * Creates a part of a lease, for work that re-enters the lease.
	 */
	BoundLease(BoundLease parent, Set<String> names) {
		super(names, List.of(parent), null);
		this.owner = parent.owner;
		this.delegate = parent;
		this.permits = parent.permits;
	}

	/**
	 * Returns the granted lease, which is this one or the lease that this is a part of.
	 */
	BoundLease root() {
		return this;
	}

	@Override
	List<BoundLease> bound() {
		return List.of(this);
	}

	@Override
	public void close() {
		rememberValidity();
		this.delegate.close();
	}

	@Override
	public CompletionStage<ReleaseResult> releaseAsync() {
		rememberValidity();
		return this.delegate.releaseAsync();
	}

	boolean isOf(Redlock lock) {
		return this.owner == lock;
	}

	/**
	 * Checks that a request has the same number of permits as this lease, because it
	 * would otherwise exclude other work than the lease does.
	 * @throws IllegalStateException if it does not
	 */
	void requireAsExclusive(int others) {
		if (this.permits != others) {
			String name = resources().iterator().next();
			throw new IllegalStateException("A call on '" + name + "' " + text(others) + " cannot run inside of one "
					+ text(this.permits)
					+ ": it would not keep out whom it means to. Use one number for a name, and give the lock a name of"
					+ " its own.");
		}
	}

	private static String text(int permits) {
		return (permits == 0) ? "without permits" : "with " + permits + " permits";
	}

	/**
	 * Records that a thread is interrupted when the lease is lost.
	 * @return false if this thread was recorded before, so that it is not interrupted
	 * twice
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

	void enter(NestedLease part) {
		this.parts.add(part);
		admitNext();
	}

	void leave(NestedLease part) {
		this.parts.remove(part);
		admitNext();
	}

	/**
	 * Admits the parts that share no name with an earlier part. New parts join at the
	 * end, so a part that may enter now stays admitted.
	 */
	private void admitNext() {
		Set<String> needed = new HashSet<>();
		for (NestedLease part : this.parts) {
			if (Collections.disjoint(needed, part.resources())) {
				part.entered().complete(null);
			}
			needed.addAll(part.resources());
		}
	}

	/**
	 * Whether a suspended transaction keeps the lease for data that it has not committed.
	 */
	boolean isSuspended() {
		return this.suspended;
	}

	void setSuspended(boolean suspended) {
		this.suspended = suspended;
	}

	boolean isClosed() {
		return this.state.get() != State.OPEN;
	}

	/**
	 * Keeps the lease for one more piece of work.
	 * @return false if the last piece of work has ended, and the lease is being released
	 */
	boolean retain() {
		return this.works.getAndUpdate((count) -> (count > 0) ? count + 1 : 0) > 0;
	}

	/**
	 * Ends one piece of work. A failure to release is logged, so that it hides no
	 * outcome.
	 */
	void done() {
		if (this.works.decrementAndGet() == 0) {
			rememberValidity();
			try {
				release();
			}
			catch (RuntimeException ex) {
				logNotReleased(ex);
			}
		}
	}

	/**
	 * Ends one piece of work under each of several leases, like {@link #done()}, and
	 * releases them at once.
	 */
	static void done(List<BoundLease> leases) {
		List<BoundLease> over = leases.stream().filter((lease) -> lease.works.decrementAndGet() == 0).toList();
		over.forEach(BoundLease::rememberValidity);
		try {
			Engine.closeAll(over.stream().map((lease) -> lease.delegate).toList());
			over.forEach(BoundLease::release);
		}
		catch (RuntimeException ex) {
			over.forEach((lease) -> lease.logNotReleased(ex));
		}
	}

	/**
	 * Ends one piece of work like {@link #done()}, without waiting.
	 * @param used whether the work has begun
	 * @return completes when the release, if there is one, has ended; never exceptionally
	 */
	CompletableFuture<?> doneAsync(boolean used) {
		if (this.works.decrementAndGet() > 0) {
			return CompletableFuture.completedFuture(null);
		}
		rememberValidity();
		return releaseLater(used);
	}

	/**
	 * Releases the lease, because the last piece of work under it is done.
	 */
	void release() {
		close();
	}

	/**
	 * Releases the lease like {@link #release()}, without waiting.
	 * @return completes when the release has ended, and never exceptionally
	 */
	CompletableFuture<?> releaseLater(boolean used) {
		CompletionStage<ReleaseResult> released;
		try {
			released = used ? releaseAsync() : Engine.releaseUnused(this.delegate);
		}
		catch (RuntimeException ex) {
			released = CompletableFuture.failedStage(ex);
		}
		return released.toCompletableFuture().handle((result, failure) -> {
			if (failure != null) {
				logNotReleased(failure);
			}
			return null;
		});
	}

	/**
	 * Returns the loss of the lease before its release, if there was one. Work that
	 * closes a valid lease early has not lost it.
	 */
	Optional<LockLostException> loss() {
		State now = this.state.get();
		if (now == State.CLOSED_IN_TIME || (now == State.OPEN && isValid())) {
			// A valid lease is not asked, because each nested call would leave a stage on
			// it.
			return Optional.empty();
		}
		LossReason reason = lost().toCompletableFuture().getNow(LossReason.EXPIRED);
		return Optional.of(new LockLostException(resources(), reason));
	}

	/**
	 * Logs a loss that is reported to no caller.
	 */
	void logUntold(LockLostException loss, String why) {
		logger.atWarn()
			.addKeyValue("redlock.resources", resources())
			.addKeyValue("redlock.reason", loss.reason())
			.log("{}: {}", why, loss.getMessage());
	}

	/**
	 * Returns the loss to report to the caller. A loss that the policy ignores is logged.
	 */
	Optional<LockLostException> loss(LossPolicy policy) {
		Optional<LockLostException> loss = loss();
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

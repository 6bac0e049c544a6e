package dev.redlock.spring.internal.lease;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import dev.redlock.Lease;
import dev.redlock.LossReason;
import dev.redlock.Redlock;
import dev.redlock.ReleaseResult;
import dev.redlock.internal.client.Engine;
import dev.redlock.internal.plan.Ticket;
import dev.redlock.spi.Claim;
import org.jspecify.annotations.Nullable;

/**
 * A lease that a call got itself, and not from an outer call: the Redis nodes granted the
 * lease, its owner lent it, or locks are turned off. It is released when its last use
 * ends.
 */
public class GrantedLease extends BoundLease {

	private final @Nullable Redlock redlock;

	private final Lease delegate;

	private final int permits;

	private final boolean beganInTransaction;

	/**
	 * Returns an action that makes the open transaction of this thread hold a lease; null
	 * if no transaction is open.
	 */
	private final Function<GrantedLease, @Nullable Runnable> keeper;

	/**
	 * The suspended transactions that may have uncommitted writes under this lease.
	 */
	private final Set<Object> suspendedWriters = ConcurrentHashMap.newKeySet();

	/**
	 * The threads that a {@link LossInterrupt} interrupts when this lease is lost.
	 */
	final Set<Thread> threadsToInterrupt = ConcurrentHashMap.newKeySet();

	/**
	 * Whether the loss of this lease was logged for a request that ignores losses.
	 */
	final AtomicBoolean lossIgnored = new AtomicBoolean();

	/**
	 * The {@code resolver} of the latest call under this lease, for code at the commit of
	 * a transaction that keeps this lease.
	 */
	volatile UnaryOperator<List<String>> latestResolver = UnaryOperator.identity();

	volatile boolean committed;

	private volatile boolean used;

	/**
	 * The fence of a detached lease for the transaction that detaches it;
	 * {@link Claim#UNFENCED} if the lease was not detached, or the transaction has ended.
	 */
	private volatile long detachedFence = Claim.UNFENCED;

	private volatile boolean detached;

	/**
	 * @param permits the number of permits of the locked name; 0 for an exclusive lock
	 * @param beganInTransaction whether an open transaction keeps this lease until its
	 * end, so that the lease cannot be detached
	 */
	public GrantedLease(@Nullable Redlock redlock, Lease delegate, int permits, boolean beganInTransaction,
			Function<GrantedLease, @Nullable Runnable> keeper) {
		super(delegate.resources(), delegate, delegate);
		this.redlock = redlock;
		this.delegate = delegate;
		this.permits = permits;
		this.beganInTransaction = beganInTransaction;
		this.keeper = keeper;
	}

	public Lease delegate() {
		return this.delegate;
	}

	@Override
	public String detach() {
		return detachIn(this.keeper.apply(this));
	}

	/**
	 * @param keep makes the open transaction hold this lease, so that its rollback takes
	 * the ticket back; null if no transaction is open
	 */
	public String detachIn(@Nullable Runnable keep) {
		if (this.beganInTransaction) {
			throw notDetachable("an outer transaction keeps it. Begin the locked call outside of the transaction");
		}
		if (hasNestedCalls()) {
			throw notDetachable("a nested call under it has not ended");
		}
		String ticket = this.delegate.detach();
		if (keep != null) {
			keep.run();
			this.detachedFence = Ticket.parse(ticket).fence();
		}
		this.detached = true;
		rememberValidity();
		return ticket;
	}

	/**
	 * Ends what the transaction that detached this lease may still write.
	 * @param mayHaveCommitted whether the ticket may be in use
	 */
	public void transactionEnded(boolean mayHaveCommitted) {
		if (this.detachedFence != Claim.UNFENCED) {
			this.detachedFence = Claim.UNFENCED;
			if (!mayHaveCommitted) {
				Engine.takeBack(this.delegate);
			}
		}
	}

	@Override
	public long fence() {
		long fence = this.detachedFence;
		return (fence != Claim.UNFENCED && Engine.wouldBeValid(this.delegate)) ? fence : super.fence();
	}

	@Override
	public GrantedLease granted() {
		return this;
	}

	@Override
	@Nullable GrantedLease afterLastUse() {
		return this;
	}

	/**
	 * Creates the lease of the call that acquired this lease, with the use of that call.
	 * The transaction adds its own use, so that this lease stays when the call ends.
	 */
	public NestedLease nestedWithFirstUse() {
		NestedLease nested = new NestedLease(this, resources(), this);
		addNested(nested);
		return nested;
	}

	public boolean isOf(@Nullable Redlock lock) {
		return this.redlock != null && this.redlock == lock;
	}

	/**
	 * Fails if a nested call requests another number of permits, because the two calls
	 * would not exclude each other.
	 */
	public void requireSamePermits(int requested) {
		if (this.permits != requested) {
			String name = resources().iterator().next();
			throw new IllegalStateException("A call on '" + name + "' " + text(requested) + " cannot run inside of a "
					+ "call " + text(this.permits)
					+ ", because both calls could get the lock at the same time. Set the same number of permits on "
					+ "both calls, or let one of them lock another name.");
		}
	}

	private static String text(int permits) {
		return (permits == 0) ? "without permits" : "with permits = " + permits;
	}

	public boolean hasSuspendedWrites() {
		return !this.suspendedWriters.isEmpty();
	}

	public void suspendWriter(Object transaction) {
		this.suspendedWriters.add(transaction);
	}

	public void resumeWriter(Object transaction) {
		this.suspendedWriters.remove(transaction);
	}

	public void markUsed() {
		this.used = true;
	}

	@Override
	public Optional<LossReason> lossReason() {
		if (this.detached) {
			boolean late = this.detachedFence != Claim.UNFENCED && !Engine.wouldBeValid(this.delegate);
			return late ? Optional.of(LossReason.EXPIRED) : Optional.empty();
		}
		if (isClosed() ? isClosedInTime() : isValid()) {
			// lost() is not called on a valid lease, because the lease keeps each stage
			// that lost() returns.
			return Optional.empty();
		}
		return Optional.of(lost().toCompletableFuture().getNow(LossReason.EXPIRED));
	}

	/**
	 * The release records no run of a scheduled job if the callback of the job has not
	 * begun.
	 */
	CompletableFuture<?> releaseLogged() {
		CompletionStage<ReleaseResult> released;
		try {
			released = this.used ? releaseAsync() : Engine.releaseUnused(this.delegate);
		}
		catch (RuntimeException ex) {
			released = CompletableFuture.failedStage(ex);
		}
		return released.toCompletableFuture().exceptionally((failure) -> {
			logNotReleased(failure);
			return null;
		});
	}

	void logNotReleased(Throwable failure) {
		logger.warn("The lock on {} could not be released and ends when its ttl has passed", resources(), failure);
	}

	@Override
	public String toString() {
		return this.delegate.toString();
	}

}

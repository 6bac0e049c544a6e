package dev.redlock.spring.lock;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.redlock.Lease;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

/**
 * A reentrant lock, which belongs to one thread until that thread has called unlock once
 * for each call of lock.
 */
final class ThreadLock implements RedlockLock {

	/**
	 * {@link #lock()} repeats attempts of this length, so that the call fails soon if too
	 * few Redis nodes answer.
	 */
	private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(30);

	private static final Duration LONGEST_WAIT = Duration.ofDays(365);

	private static final Duration PAUSE = Duration.ofMillis(100);

	private final RedLockOperations operations;

	private final ThreadLocal<Map<List<String>, ThreadLease>> leases;

	private final LockRequest request;

	private final Duration defaultTtl;

	ThreadLock(RedLockOperations operations, ThreadLocal<Map<List<String>, ThreadLease>> leases, LockRequest request,
			Duration defaultTtl) {
		if (request.permits() > 0) {
			throw new IllegalArgumentException(
					"A lock of the JDK has one owner, and the request for " + request.resources() + " is for one of "
							+ request.permits() + " permits. Use RedLockTemplate for permits.");
		}
		this.operations = operations;
		this.leases = leases;
		this.request = request;
		this.defaultTtl = defaultTtl;
	}

	@Override
	public Optional<Lease> lease() {
		return Optional.ofNullable(current()).map(ThreadLease::lease);
	}

	@Override
	public void lock() {
		withoutInterrupts(() -> lockWithoutLimit(null));
	}

	@Override
	public void lock(Duration ttl) {
		withoutInterrupts(() -> lockWithoutLimit(ttl));
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		lockWithoutLimit(null);
	}

	@Override
	public boolean tryLock() {
		return withoutInterrupts(() -> acquireOrExtend(Duration.ZERO, null));
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		return acquireOrExtend(Duration.ofNanos(unit.toNanos(time)), null);
	}

	@Override
	public boolean tryLock(Duration wait, Duration ttl) throws InterruptedException {
		return acquireOrExtend(wait, ttl);
	}

	@Override
	public void unlock() {
		ThreadLease current = required(this.leases.get().get(this.request.resources()));
		if (current.countUnlock()) {
			this.leases.get().remove(this.request.resources());
			if (!current.close()) {
				throw current.loss();
			}
		}
	}

	@Override
	public boolean renew(@Nullable Duration ttl) {
		ThreadLease current = required(current());
		boolean extended = current.extend(ttl);
		if (!extended && !current.lease().isValid()) {
			throw current.loss();
		}
		return extended;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof ThreadLock that && this.leases == that.leases
				&& this.request.resources().equals(that.request.resources());
	}

	@Override
	public int hashCode() {
		return this.request.resources().hashCode();
	}

	@Override
	public String toString() {
		return "RedlockLock" + this.request.resources() + lease().map((lease) -> " held: " + lease).orElse("");
	}

	/**
	 * Returns null if the thread has no lease, or if the loss of its lease was reported.
	 */
	private @Nullable ThreadLease current() {
		ThreadLease current = this.leases.get().get(this.request.resources());
		return (current == null || current.isLossReported()) ? null : current;
	}

	private boolean lockWithoutLimit(@Nullable Duration ttl) throws InterruptedException {
		ThreadLease outer = current();
		boolean locked = acquireOrExtend((outer != null) ? Duration.ZERO : LONGEST_ATTEMPT, ttl);
		if (!locked && outer != null) {
			throw outer.loss();
		}
		while (!locked) {
			// An attempt fails at once if other code of this thread holds the lock, so
			// the pause prevents a busy loop.
			LockSupport.parkNanos(PAUSE.toNanos());
			locked = acquireOrExtend(LONGEST_ATTEMPT, ttl);
		}
		return true;
	}

	private boolean acquireOrExtend(Duration wait, @Nullable Duration ttl) throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		Duration bounded = wait.isNegative() ? Duration.ZERO : ThreadLease.shorter(wait, LONGEST_WAIT);
		ThreadLease current = current();
		if (current == null) {
			return acquire(bounded, ttl);
		}
		if (current.extend(ttl, bounded)) {
			current.countLock();
			return true;
		}
		current.markLossReported();
		return false;
	}

	private boolean acquire(Duration wait, @Nullable Duration ttl) throws InterruptedException {
		ThreadLease lost = this.leases.get().get(this.request.resources());
		if (lost != null) {
			// The lost lease is closed before the lock is acquired anew, because the
			// thread would otherwise wait for its own lease.
			lost.close();
		}
		LockRequest asked = this.request.withWaitFor(wait);
		if (ttl != null) {
			asked = asked.withTtl(ttl);
		}
		Duration granted = (asked.ttl() != null) ? asked.ttl() : this.defaultTtl;
		try {
			this.leases.get().put(this.request.resources(), new ThreadLease(this.operations.acquire(asked), granted));
			return true;
		}
		catch (LockNotAcquiredException ex) {
			// A lock of the JDK reports an interrupt by an exception and not by the
			// interrupt flag.
			if (ex.reason() == Reason.INTERRUPTED && Thread.interrupted()) {
				throw new InterruptedException(ex.getMessage());
			}
			return switch (ex.reason()) {
				case HELD, SPLIT_VOTE, FENCE_NOT_SETTLED, TIMED_OUT -> false;
				default -> throw ex;
			};
		}
	}

	private ThreadLease required(@Nullable ThreadLease current) {
		if (current == null) {
			throw new IllegalMonitorStateException("The thread " + Thread.currentThread().getName()
					+ " does not hold the lock on " + this.request.resources()
					+ ". Only the thread that took this lock can unlock or renew it.");
		}
		return current;
	}

	/**
	 * Repeats an action that an interrupt stops, and sets the interrupt flag again at the
	 * end.
	 */
	private boolean withoutInterrupts(Action action) {
		boolean interrupted = Thread.interrupted();
		try {
			while (true) {
				try {
					return action.run();
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@FunctionalInterface
	private interface Action {

		boolean run() throws InterruptedException;

	}

}

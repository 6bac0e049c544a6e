package dev.redlock.spring.integration;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

/**
 * One lock as threads see it: held by the thread that locked it, as often as that thread
 * locked it.
 * <p>
 * To enter again is no matter of counting: the nodes are asked to extend the lease. Who
 * is told that the lock is lost holds nothing any more, and may acquire it anew.
 */
final class ThreadLock {

	/**
	 * Who waits without a limit looks up this often, so that a missing quorum is told.
	 */
	private static final Duration STRETCH = Duration.ofSeconds(30);

	private static final Duration LONGEST_WAIT = Duration.ofDays(365);

	private static final Duration PAUSE = Duration.ofMillis(100);

	private final RedLockOperations operations;

	private final ThreadHolds holds;

	private final LockRequest request;

	private final Duration defaultTtl;

	/**
	 * @param operations where leases come from
	 * @param holds who holds what
	 * @param request what to lock, and how; how long to wait is what each call says
	 * @param defaultTtl the ttl where neither the request nor the call says one
	 */
	ThreadLock(RedLockOperations operations, ThreadHolds holds, LockRequest request, Duration defaultTtl) {
		this.operations = operations;
		this.holds = holds;
		this.request = request;
		this.defaultTtl = defaultTtl;
	}

	LockRequest request() {
		return this.request;
	}

	/**
	 * What the current thread holds, null if it holds nothing that it has not been told
	 * to be lost.
	 */
	@Nullable Hold hold() {
		Hold hold = this.holds.get(this.request.resources());
		return (hold == null || hold.isForsaken()) ? null : hold;
	}

	/**
	 * Waits for as long as somebody else has the lock.
	 */
	void lock(@Nullable Duration ttl) {
		withoutInterrupts(() -> {
			lockInterruptibly(ttl);
			return true;
		});
	}

	/**
	 * Like {@link #lock}, and ends early when the thread is interrupted.
	 * @throws LockLostException if the thread was inside and the lock is lost
	 */
	void lockInterruptibly(@Nullable Duration ttl) throws InterruptedException {
		Hold outer = hold();
		boolean locked = tryLock((outer != null) ? Duration.ZERO : STRETCH, ttl);
		if (!locked && outer != null) {
			throw outer.loss();
		}
		while (!locked) {
			// A thread is told at once that it would wait for a lease of its own, which
			// another thread may close; it must not ask without a pause.
			LockSupport.parkNanos(PAUSE.toNanos());
			locked = tryLock(STRETCH, ttl);
		}
	}

	/**
	 * One attempt, whether the thread is interrupted or not.
	 */
	boolean tryLock() {
		return withoutInterrupts(() -> tryLock(Duration.ZERO, null));
	}

	/**
	 * Waits for the lock, or for the extension of a lock that the thread holds.
	 * @return whether the thread now holds the lock
	 */
	boolean tryLock(Duration wait, @Nullable Duration ttl) throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		Duration bounded = wait.isNegative() ? Duration.ZERO : shorter(wait, LONGEST_WAIT);
		Hold hold = hold();
		if (hold == null) {
			return acquire(bounded, ttl);
		}
		if (extend(hold, bounded, ttl)) {
			hold.enter();
			return true;
		}
		hold.forsake();
		return false;
	}

	/**
	 * @throws LockLostException if the lock was lost in the meantime
	 * @throws IllegalMonitorStateException if the thread does not hold the lock
	 */
	void unlock() {
		Hold hold = this.holds.get(this.request.resources());
		if (hold == null) {
			throw notHeld();
		}
		if (!hold.leave()) {
			return;
		}
		this.holds.remove(this.request.resources());
		boolean inTime = hold.isValid();
		hold.lease().close();
		if (!inTime) {
			throw hold.loss();
		}
	}

	/**
	 * Asks the nodes to keep the lock for another ttl.
	 * @return false if no majority agreed though the lock is still held
	 * @throws LockLostException if the lock is lost
	 * @throws IllegalMonitorStateException if the thread does not hold the lock
	 */
	boolean renew(@Nullable Duration ttl) {
		Hold hold = hold();
		if (hold == null) {
			throw notHeld();
		}
		if (hold.extend(ttl)) {
			return true;
		}
		if (!hold.isValid()) {
			throw hold.loss();
		}
		return false;
	}

	private boolean acquire(Duration wait, @Nullable Duration ttl) throws InterruptedException {
		LockRequest asked = this.request.withWaitFor(wait);
		if (ttl != null) {
			asked = asked.withTtl(ttl);
		}
		try {
			Duration granted = (asked.ttl() != null) ? asked.ttl() : this.defaultTtl;
			this.holds.put(this.request.resources(), new Hold(this.operations.acquire(asked), granted));
			return true;
		}
		catch (LockNotAcquiredException ex) {
			// Locks of the JDK tell of an interrupt by the exception, not by the flag.
			if (ex.reason() == Reason.INTERRUPTED && Thread.interrupted()) {
				throw new InterruptedException(ex.getMessage());
			}
			return switch (ex.reason()) {
				case HELD, SPLIT_VOTE, FENCE_NOT_SETTLED, TIMED_OUT -> false;
				default -> throw ex;
			};
		}
	}

	/**
	 * One round that came to nothing is no loss, so the nodes are asked again while there
	 * is time. Where they stay silent the lock still counts as held if it will be valid
	 * for more than twice that time: who asks, and pauses, and asks again, as a leader
	 * does, then hears of the loss before it happens.
	 */
	private static boolean extend(Hold hold, Duration wait, @Nullable Duration ttl) throws InterruptedException {
		long start = System.nanoTime();
		Duration left = wait.isZero() ? hold.remaining() : wait;
		while (!hold.extend(ttl, shorter(left, hold.remaining()))) {
			left = wait.minusNanos(System.nanoTime() - start);
			if (!hold.isValid()) {
				return false;
			}
			if (left.isNegative() || left.isZero()) {
				return hold.remaining().dividedBy(2).compareTo(wait) > 0;
			}
			hold.awaitLoss(shorter(left, PAUSE));
			left = wait.minusNanos(System.nanoTime() - start);
		}
		return true;
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	private IllegalMonitorStateException notHeld() {
		return new IllegalMonitorStateException(
				"The thread " + Thread.currentThread().getName() + " does not hold the lock on "
						+ this.request.resources() + ". Only the thread that locked it can unlock or renew it.");
	}

	/**
	 * Interrupts that arrive meanwhile are handed on at the end.
	 */
	private static boolean withoutInterrupts(Interruptible action) {
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
	private interface Interruptible {

		boolean run() throws InterruptedException;

	}

}

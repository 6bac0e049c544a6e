package dev.redlock.spring.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

import dev.redlock.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A distributed lock as a {@link Lock} of the JDK, held by one thread of one process. The
 * thread may lock a {@code RedlockLock} several times, and must unlock it the same number
 * of times.
 * <p>
 * <strong>Differences to a lock of the JDK.</strong> A {@code RedlockLock} is held only
 * until its ttl is over, unless the lock is extended or renewed. A thread that loses the
 * lock is not stopped. A thread notices the loss of its lock when {@link #unlock()}
 * throws {@link dev.redlock.LockLostException}, when it locks again, or when it calls
 * {@link #lease()}.
 * <ul>
 * <li>A thread that locks again asks the Redis nodes to extend the lease. If the thread
 * has lost the lease, its next {@link #tryLock()} returns false, and its next
 * {@link #lock()} throws {@link dev.redlock.LockLostException}. After a call has reported
 * the loss of the lock, the thread may acquire the lock anew.</li>
 * <li>Another thread cannot unlock the lock, even in the same process, and gets an
 * {@link IllegalMonitorStateException}.</li>
 * <li>A call of {@link #lock()} waits while another thread or process has the lock. If
 * too few Redis nodes answer, {@link #lock()} and {@link #tryLock()} throw
 * {@link dev.redlock.LockNotAcquiredException}.</li>
 * <li>A {@code RedlockLock} does not set {@link dev.redlock.CurrentLease}, does not end
 * with a transaction, and interrupts no thread. Inside of a method with
 * {@link dev.redlock.spring.annotation.RedLock @RedLock} or a template's callback, a
 * {@code RedlockLock} on the same name shares the outer lock, and ends when the outer
 * lock ends.</li>
 * </ul>
 * Prefer {@link dev.redlock.spring.template.RedLockTemplate} or the annotation, which
 * report the loss of a lock by an exception. This class is thread-safe.
 */
public interface RedlockLock extends Lock {

	/**
	 * Returns the lease of the current thread, with the fencing token for the thread's
	 * writes and the remaining time of the lock.
	 * @return the lease, empty if this thread does not hold the lock
	 */
	Optional<Lease> lease();

	/**
	 * Waits for the lock like {@link #lock()}.
	 * @param ttl the time after which the Redis nodes forget the lock
	 */
	void lock(Duration ttl);

	/**
	 * Waits for the lock like {@link #tryLock(long, java.util.concurrent.TimeUnit)}.
	 * @param wait the longest time to wait for the lock; zero for one attempt
	 * @param ttl the time after which the Redis nodes forget the lock
	 * @return whether the thread now holds the lock
	 * @throws InterruptedException if the thread is interrupted while it waits
	 */
	boolean tryLock(Duration wait, Duration ttl) throws InterruptedException;

	/**
	 * Asks the Redis nodes to keep the lock for another ttl from now on.
	 * @param ttl the new ttl of the lock; null for the ttl with which the lock was
	 * acquired
	 * @return true if a majority of the nodes extended the lock; false if no majority did
	 * and the lock still has time left
	 * @throws dev.redlock.LockLostException if the lock is lost
	 * @throws IllegalMonitorStateException if the thread does not hold the lock
	 */
	boolean renew(@Nullable Duration ttl);

	/**
	 * Conditions are not supported, because threads of other processes would have to
	 * signal them.
	 * @throws UnsupportedOperationException always
	 */
	@Override
	default Condition newCondition() {
		throw new UnsupportedOperationException("A distributed lock does not support newCondition()");
	}

}

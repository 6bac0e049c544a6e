package dev.redlock.spring.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

import dev.redlock.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A distributed lock as a {@link Lock} of the JDK, held by one thread of one process. The
 * thread may lock this object several times, and must unlock it as often.
 * <p>
 * <strong>Differences to a lock of the JDK.</strong> A lock of the JDK is held until it
 * is unlocked. A {@code RedlockLock} is held until its ttl is over, unless it is extended
 * or renewed. A thread that loses the lock is not stopped. The thread notices the loss
 * when {@link #unlock()} throws {@link dev.redlock.LockLostException}, when it locks
 * again, or when it calls {@link #lease()}. In detail:
 * <ul>
 * <li>Locking again asks the nodes to extend the lease. If the lease is lost,
 * {@link #tryLock()} returns false, and {@link #lock()} throws
 * {@link dev.redlock.LockLostException}. After such a loss the thread holds nothing, and
 * may acquire the lock anew.</li>
 * <li>Another thread cannot unlock the lock, even in the same process, and gets an
 * {@link IllegalMonitorStateException}.</li>
 * <li>{@link #lock()} waits while another thread or process has the lock. Without a
 * quorum, {@link #lock()} throws {@link dev.redlock.LockNotAcquiredException} instead of
 * waiting for ever, as {@link #tryLock()} does.</li>
 * <li>{@link #newCondition()} is not supported.</li>
 * <li>The lock does not set {@link dev.redlock.CurrentLease}, does not end with a
 * transaction, and interrupts no thread. Inside work under
 * {@link dev.redlock.spring.annotation.RedLock @RedLock} or a template, the lock shares
 * the locks that this work holds, and ends with them.</li>
 * </ul>
 * Prefer {@link dev.redlock.spring.template.RedLockTemplate} or the annotation, which
 * report a loss by themselves. This class is thread-safe.
 */
public interface RedlockLock extends Lock {

	/**
	 * Returns the lease of the current thread, with the fence for its writes and its
	 * remaining time.
	 * @return the lease, empty if this thread does not hold the lock
	 */
	Optional<Lease> lease();

	/**
	 * Waits for the lock like {@link #lock()}.
	 * @param ttl the ttl of this call
	 */
	void lock(Duration ttl);

	/**
	 * Waits for the lock like {@link #tryLock(long, java.util.concurrent.TimeUnit)}.
	 * @param wait how long to wait
	 * @param ttl the ttl of this call
	 * @return whether the thread holds the lock
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean tryLock(Duration wait, Duration ttl) throws InterruptedException;

	/**
	 * Asks the nodes to keep the lock for another ttl.
	 * @param ttl the ttl, null for the ttl at its acquisition
	 * @return false if no majority agreed although the lock is still held
	 * @throws dev.redlock.LockLostException if the lock is lost
	 * @throws IllegalMonitorStateException if the thread does not hold the lock
	 */
	boolean renew(@Nullable Duration ttl);

	/**
	 * Throws an exception, because a condition would have to be signalled from other
	 * processes.
	 * @return never
	 * @throws UnsupportedOperationException always
	 */
	@Override
	default Condition newCondition() {
		throw new UnsupportedOperationException("A lock over several processes does not support conditions");
	}

}

package dev.redlock.spring.integration;

import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

import dev.redlock.Lease;

/**
 * A lock over the nodes as a {@link Lock} of the JDK: held by one thread of one process,
 * which may lock it again and unlocks it as often.
 * <p>
 * <strong>What this interface cannot say.</strong> A lock of the JDK is held until it is
 * unlocked; this one is held until its ttl is over, unless it is extended or renewed. The
 * thread that holds it is not stopped when it is lost: it hears of it from
 * {@link #unlock()}, which then throws {@link dev.redlock.LockLostException}, when it
 * locks again, or when it asks {@link #lease()}. So:
 * <ul>
 * <li>To lock again asks the nodes to extend the lease. If it is lost, {@link #tryLock()}
 * returns false, and {@link #lock()} throws {@link dev.redlock.LockLostException}. The
 * thread then holds nothing, and may acquire the lock anew.</li>
 * <li>Another thread cannot unlock it, even in the same process:
 * {@link IllegalMonitorStateException}.</li>
 * <li>{@link #lock()} waits as long as somebody else has the lock. Where there is no
 * quorum it does not wait for ever: it throws
 * {@link dev.redlock.LockNotAcquiredException}, as {@link #tryLock()} does.</li>
 * <li>There are no conditions: {@link #newCondition()} is not supported.</li>
 * <li>It is not the {@link dev.redlock.CurrentLease}, does not end with a transaction,
 * and interrupts nobody. Inside of work under
 * {@link dev.redlock.spring.annotation.RedLock @RedLock} or a template it re-enters what
 * that work holds, and ends with it.</li>
 * </ul>
 * Where there is a choice, use {@link dev.redlock.spring.template.RedLockTemplate} or the
 * annotation: they tell of a loss by themselves. Thread-safe.
 */
public interface RedlockLock extends Lock {

	/**
	 * What the current thread holds: the fence for its writes, and how long it may go on.
	 * @return the lease, empty if this thread does not hold the lock
	 */
	Optional<Lease> lease();

	/**
	 * Not supported: a condition would have to be signalled from other processes.
	 * @return never
	 * @throws UnsupportedOperationException always
	 */
	@Override
	default Condition newCondition() {
		throw new UnsupportedOperationException("A lock over several processes has no conditions");
	}

}

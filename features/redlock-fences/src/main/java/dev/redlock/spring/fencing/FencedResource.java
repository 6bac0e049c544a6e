package dev.redlock.spring.fencing;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.redlock.CurrentLease;
import org.jspecify.annotations.Nullable;

/**
 * A guard in memory that remembers the highest fence it has seen, and refuses callers
 * with a smaller fence. Use this class in the one process through which clients reach a
 * resource, such as a device or a file.
 * <p>
 * A lock holder calls {@link #claim(long)} before it reads the resource, and passes its
 * fence with each write. The guard accepts a fence that equals the highest fence, because
 * two holders never have equal fences. If the resource outlives the process, store the
 * fence with its data, as {@link JdbcFenceGuard} does. This class is thread-safe.
 */
public final class FencedResource {

	private final String name;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile long highest;

	/**
	 * Creates a guard that has seen no fence yet.
	 * @param name the name of the resource in messages of exceptions
	 */
	public FencedResource(String name) {
		this.name = name;
	}

	/**
	 * Makes the guard refuse all lock holders with a smaller fence from now on. Call
	 *
	 * {@code claim} before the first read of the resource, because a former lock holder
	 * could write between your read and your write.
	 * @throws StaleFenceException if the guard has seen a higher fence
	 */
	public void claim(long fence) {
		access(fence, () -> null);
	}

	/**
	 * Calls {@link #claim(long)} with the fence of a lock that the current thread holds.
	 * @throws IllegalStateException if the current thread does not hold the lock
	 */
	public void claim(String lock) {
		claim(CurrentLease.require(lock).fence());
	}

	/**
	 * Runs an action that reads or writes the resource, unless the guard has seen a
	 * higher fence. Only one action runs at a time.
	 * @throws StaleFenceException if the guard has seen a higher fence; the action did
	 * not run
	 */
	public <T extends @Nullable Object> T access(long fence, Supplier<T> action) {
		requireFence(fence);
		this.lock.lock();
		try {
			if (fence < this.highest) {
				throw new StaleFenceException(this.name, fence, this.highest);
			}
			this.highest = fence;
			return action.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Calls {@link #access(long, Supplier)} with the fence of a lock that the current
	 * thread holds.
	 * @throws IllegalStateException if the current thread does not hold the lock
	 */
	public <T extends @Nullable Object> T access(String lock, Supplier<T> action) {
		return access(CurrentLease.require(lock).fence(), action);
	}

	/**
	 * Returns the highest fence that the guard has seen, 0 if the guard has seen no
	 * fence.
	 */
	public long highest() {
		return this.highest;
	}

	@Override
	public String toString() {
		return this.name + "[fence=" + highest() + "]";
	}

	static void requireFence(long fence) {
		if (fence <= 0) {
			throw new IllegalArgumentException("A fence must be more than zero, not " + fence
					+ ". Take the fence from the lease by CurrentLease.require().fence(), or, if the lease has "
					+ "several names, by CurrentLease.require(name).fence().");
		}
	}

}

package dev.redlock.spring.fencing;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.redlock.CurrentLease;
import org.jspecify.annotations.Nullable;

/**
 * A guard in memory that remembers the highest fence it has seen and refuses smaller
 * fences. Use this class in a process that guards a resource for many clients, such as a
 * device, a file, or a cache behind an endpoint.
 * <p>
 * A holder claims the resource before it reads, and passes its fence again with each
 * write. A holder may pass the same fence any number of times: fences are unique, so an
 * equal fence comes from the same holder. This class is thread-safe. The highest fence is
 * lost when the process ends. A resource that is kept longer must store the fence with
 * its data, as {@link JdbcFenceGuard} does.
 */
public final class FencedResource {

	private final String name;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile long highest;

	/**
	 * Creates a resource without a claim.
	 * @param name the name for messages
	 */
	public FencedResource(String name) {
		this.name = name;
	}

	/**
	 * Refuses all holders with a smaller fence from now on. Call this method before the
	 * first read, because a former holder could otherwise write between that read and the
	 * next write.
	 * @param fence the fence of the lease
	 * @throws StaleFenceException if a later holder has claimed the resource
	 */
	public void claim(long fence) {
		access(fence, () -> null);
	}

	/**
	 * Claims the resource like {@link #claim(long)}, with the current thread's fence of a
	 * lock.
	 * @param lock the name of the lock that guards the resource
	 * @throws StaleFenceException if a later holder has claimed the resource
	 * @throws IllegalStateException if the current thread does not hold the lock
	 */
	public void claim(String lock) {
		claim(CurrentLease.require(lock).fence());
	}

	/**
	 * Runs an action while no other holder has access.
	 * @param <T> the type of the result
	 * @param fence the fence of the lease
	 * @param action reads or writes the resource; other callers wait for it
	 * @return the result of the action
	 * @throws StaleFenceException if a later holder has claimed the resource; the action
	 * did not run
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
	 * Runs an action like {@link #access(long, Supplier)}, with the current thread's
	 * fence of a lock.
	 * @param <T> the type of the result
	 * @param lock the name of the lock that guards the resource
	 * @param action reads or writes the resource; other callers wait for it
	 * @return the result of the action
	 * @throws StaleFenceException if a later holder has claimed the resource; the action
	 * did not run
	 * @throws IllegalStateException if the current thread does not hold the lock
	 */
	public <T extends @Nullable Object> T access(String lock, Supplier<T> action) {
		return access(CurrentLease.require(lock).fence(), action);
	}

	/**
	 * Returns the highest fence that the resource has seen.
	 * @return the fence, 0 before the first claim
	 */
	public long highest() {
		return this.highest;
	}

	/**
	 * The text has the name of the resource and its fence.
	 */
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

package dev.redlock.spring.fencing;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A resource in memory that remembers the highest fence it has seen and refuses smaller
 * ones. For what one process guards for many: a device, a file, a cache behind an
 * endpoint.
 * <p>
 * A holder claims the resource before it reads, and passes its fence again with each
 * write. The same fence may come any number of times: fences are unique, so it can only
 * be the same holder. Thread-safe. What it remembers ends with the process; a resource
 * that outlives it has to keep the fence with its data, as {@link JdbcFenceGuard} does.
 */
public final class FencedResource {

	private final String name;

	private final ReentrantLock lock = new ReentrantLock();

	private long highest;

	/**
	 * Creates a resource that nobody has claimed.
	 * @param name the name for messages
	 */
	public FencedResource(String name) {
		this.name = name;
	}

	/**
	 * Shuts out all holders with a smaller fence. To be called before the first read: a
	 * former holder could otherwise still write between that read and our write.
	 * @param fence the fence of the lease
	 * @throws StaleFenceException if a later holder has claimed the resource
	 */
	public void claim(long fence) {
		access(fence, () -> null);
	}

	/**
	 * Runs an action that no other holder can come in between of.
	 * @param <T> the type of the result
	 * @param fence the fence of the lease
	 * @param action reads or writes the resource; others wait for it
	 * @return what the action returns
	 * @throws StaleFenceException if a later holder has claimed the resource; the action
	 * did not run
	 */
	public <T extends @Nullable Object> T access(long fence, Supplier<T> action) {
		Fences.check(fence);
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
	 * The highest fence that the resource has seen.
	 * @return the fence, 0 if nobody has claimed the resource
	 */
	public long highest() {
		this.lock.lock();
		try {
			return this.highest;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Names the resource and its fence.
	 */
	@Override
	public String toString() {
		return this.name + "[fence=" + highest() + "]";
	}

}

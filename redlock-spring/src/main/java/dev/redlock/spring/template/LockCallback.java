package dev.redlock.spring.template;

import dev.redlock.Lease;
import org.jspecify.annotations.Nullable;

/**
 * Code that a {@link RedLockTemplate} runs under a lock.
 *
 * @param <T> the type of the callback's result
 */
@FunctionalInterface
public interface LockCallback<T extends @Nullable Object> {

	/**
	 * Runs the code of this callback while the lock is held.
	 * @param lease the lease on the lock, which the template closes
	 * @return the result that the template returns to its caller
	 * @throws Exception any exception, which reaches the caller of the template unchanged
	 */
	T doWithLease(Lease lease) throws Exception;

}

package dev.redlock.spring.template;

import dev.redlock.Lease;
import org.jspecify.annotations.Nullable;

/**
 * Work that runs under a lock.
 *
 * @param <T> the type of its result
 */
@FunctionalInterface
public interface LockCallback<T extends @Nullable Object> {

	/**
	 * Runs the work under the lock. The lock is released when this method returns or
	 * throws, or at the end of the transaction that the work takes part in.
	 * @param lease the lease that the work runs under, which the template closes
	 * @return the result for the caller
	 * @throws Exception any exception of the work, which the caller gets unchanged
	 */
	T doWithLease(Lease lease) throws Exception;

}

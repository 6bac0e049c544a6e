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
	 * Does the work. The lock is released when this returns or throws, or at the end of
	 * the transaction that the work takes part in.
	 * @param lease the lease that the work runs under; there is no need to close it
	 * @return the result for the caller
	 * @throws Exception any exception of the work; the caller gets it unchanged
	 */
	T doWithLease(Lease lease) throws Exception;

}

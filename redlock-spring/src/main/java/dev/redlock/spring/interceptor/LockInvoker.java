package dev.redlock.spring.interceptor;

import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

/**
 * Runs methods of one kind of return type under their lock, until the work of the method
 * has ended.
 */
@FunctionalInterface
interface LockInvoker {

	/**
	 * Runs the method, or answers a call without the lock.
	 * @param operations how to lock
	 * @param call the call
	 * @return the result for the caller
	 * @throws Throwable the exception of the method
	 */
	@Nullable Object invoke(RedLockOperations operations, LockCall call) throws Throwable;

}

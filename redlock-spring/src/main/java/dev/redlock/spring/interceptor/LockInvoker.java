package dev.redlock.spring.interceptor;

import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

/**
 * Runs a method under its lock, in the way that suits its return type: the lock is held
 * until the work of the method has ended.
 */
interface LockInvoker {

	/**
	 * Fails at start instead of with the first call if a bean is missing.
	 */
	default void prepare() {
	}

	/**
	 * Runs the method, or answers a call without the lock.
	 * @param operations how to lock
	 * @param call the call
	 * @return the result for the caller
	 * @throws Throwable what the method throws
	 */
	@Nullable Object invoke(RedLockOperations operations, LockCall call) throws Throwable;

}

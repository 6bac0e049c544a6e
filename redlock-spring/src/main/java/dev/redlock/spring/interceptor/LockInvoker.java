package dev.redlock.spring.interceptor;

import dev.redlock.LockRequest;
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
	 * Runs the method.
	 * @param operations how to lock
	 * @param request what to lock
	 * @param call the call
	 * @return the result for the caller
	 * @throws dev.redlock.LockNotAcquiredException if the call returns no future and no
	 * publisher, and has no lock
	 */
	@Nullable Object invoke(RedLockOperations operations, LockRequest request, LockCall call);

	/**
	 * Refuses a result whose work would go on without the lock.
	 * @param result the result of the method, under its lock
	 */
	default void check(@Nullable Object result) {
	}

}

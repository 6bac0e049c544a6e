package dev.redlock.spring.interceptor;

import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

/**
 * Runs locked methods of one kind of return type, such as publishers, and holds the lock
 * until the work of the method has ended.
 */
@FunctionalInterface
interface LockInvoker {

	/**
	 * Acquires the lock and runs the method. If the lock is not acquired, returns the
	 * result that {@link LockCall#answer} decides.
	 * @param operations acquires and releases the lock
	 * @param call the call of the locked method
	 * @return the result that the caller of the method gets
	 * @throws Throwable the exception of the method, or the failure to acquire the lock
	 */
	@Nullable Object invoke(RedLockOperations operations, LockCall call) throws Throwable;

}

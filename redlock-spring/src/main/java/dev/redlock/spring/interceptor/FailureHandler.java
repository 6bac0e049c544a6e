package dev.redlock.spring.interceptor;

import dev.redlock.LockNotAcquiredException;
import org.jspecify.annotations.Nullable;

/**
 * Decides the result of a call that did not get its lock: an exception, an empty value,
 * or the result of a fallback.
 */
@FunctionalInterface
interface FailureHandler {

	FailureHandler THROW = (failure, call) -> {
		throw failure;
	};

	/**
	 * Returns the result of a call whose method does not run, or throws an exception.
	 * @param failure the exception that says why the lock was not acquired
	 * @param call the call that did not get its lock
	 * @return the result for the caller, of the method's return type
	 */
	@Nullable Object handle(LockNotAcquiredException failure, LockCall call) throws Throwable;

}

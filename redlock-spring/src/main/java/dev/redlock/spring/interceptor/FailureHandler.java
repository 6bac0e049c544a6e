package dev.redlock.spring.interceptor;

import dev.redlock.LockNotAcquiredException;
import org.jspecify.annotations.Nullable;

/**
 * Answers a call that did not get its lock.
 */
@FunctionalInterface
interface FailureHandler {

	FailureHandler THROW = (failure, call) -> {
		throw failure;
	};

	/**
	 * Answers in place of the method.
	 * @param failure the reason why the lock was not acquired
	 * @param call the call
	 * @return a value of the method's return type
	 */
	@Nullable Object handle(LockNotAcquiredException failure, LockCall call) throws Throwable;

}

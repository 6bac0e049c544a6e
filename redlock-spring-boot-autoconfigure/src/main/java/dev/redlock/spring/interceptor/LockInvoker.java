package dev.redlock.spring.interceptor;

import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockOperations;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Runs a method under its lock, in the way that suits its return type: the lock is held
 * until the result is really there.
 */
interface LockInvoker {

	/**
	 * Fails at start, not with the first call, where something is missing.
	 */
	default void prepare() {
	}

	/**
	 * Runs the method.
	 * @param operations how to lock
	 * @param request what to lock
	 * @param invocation the call
	 * @param onFailure answers if this lock is not acquired; never asked for a failure
	 * that the method itself throws
	 * @return what the caller gets
	 */
	@Nullable Object invoke(RedLockOperations operations, LockRequest request, MethodInvocation invocation,
			FailureHandler onFailure) throws Throwable;

	/**
	 * Goes on with the call and lets whatever it throws pass as it is, where no checked
	 * exception is declared.
	 */
	@SuppressWarnings("unchecked")
	static <E extends Throwable> @Nullable Object proceed(MethodInvocation invocation) throws E {
		try {
			return invocation.proceed();
		}
		catch (Throwable ex) {
			throw (E) ex;
		}
	}

}

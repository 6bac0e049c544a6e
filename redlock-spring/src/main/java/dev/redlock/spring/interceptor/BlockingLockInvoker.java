package dev.redlock.spring.interceptor;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

/**
 * Runs methods whose work has ended when they return.
 */
final class BlockingLockInvoker implements LockInvoker {

	private final ResultCheck results;

	BlockingLockInvoker(ResultCheck results) {
		this.results = results;
	}

	@Override
	@SuppressWarnings("NullAway") // The type parameter of a callback admits null.
	public @Nullable Object invoke(RedLockOperations operations, LockCall call) throws Throwable {
		if (!call.applies()) {
			return call.proceed();
		}
		try {
			Object result = operations.<@Nullable Object>execute(call.request(), (lease) -> call.runLocked());
			this.results.check(result);
			return result;
		}
		catch (LockNotAcquiredException ex) {
			return call.answer(ex);
		}
	}

}

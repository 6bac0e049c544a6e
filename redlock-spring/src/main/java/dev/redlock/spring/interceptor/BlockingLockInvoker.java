package dev.redlock.spring.interceptor;

import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

/**
 * For methods whose work has ended when they return.
 */
final class BlockingLockInvoker implements LockInvoker {

	private final ResultCheck results;

	BlockingLockInvoker(ResultCheck results) {
		this.results = results;
	}

	@Override
	@SuppressWarnings("NullAway") // The type parameter of a callback admits null.
	public @Nullable Object invoke(RedLockOperations operations, LockRequest request, LockCall call) {
		return operations.<@Nullable Object>execute(request, (lease) -> call.runLocked());
	}

	@Override
	public void check(@Nullable Object result) {
		this.results.check(result);
	}

}

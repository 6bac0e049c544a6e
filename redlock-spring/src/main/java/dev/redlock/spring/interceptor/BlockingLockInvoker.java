package dev.redlock.spring.interceptor;

import java.util.List;

import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

/**
 * For methods whose work has ended when they return.
 */
final class BlockingLockInvoker implements LockInvoker {

	private final List<DeferredWork> undeclared;

	/**
	 * @param undeclared refused types that a value may have though the return type does
	 * not say so
	 */
	BlockingLockInvoker(List<DeferredWork> undeclared) {
		this.undeclared = undeclared;
	}

	@Override
	@SuppressWarnings("NullAway") // The type parameter of a callback admits null.
	public @Nullable Object invoke(RedLockOperations operations, LockRequest request, LockCall call) {
		return operations.<@Nullable Object>execute(request, (lease) -> call.runLocked());
	}

	@Override
	public void check(@Nullable Object result, LockCall call) {
		DeferredWork.refuse(result, this.undeclared, call.method());
	}

}

package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Future;

import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapterRegistry;

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

	/**
	 * A method declared as {@code Object} may return a value whose work still goes on.
	 */
	@Override
	public void check(@Nullable Object result, LockCall call) {
		Object content = DeferredWork.unwrap(result);
		if (content instanceof Future<?> future) {
			if (!future.isDone()) {
				throw unfinished(call, "a future that is not done", "Declare CompletableFuture or CompletionStage.");
			}
		}
		else if (content != null && !this.undeclared.isEmpty()) {
			// First, since a Mono can be a Callable too.
			if (ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, content) != null) {
				throw unfinished(call, "a publisher", "Declare Mono, Flux or the type that it has.");
			}
			for (DeferredWork each : this.undeclared) {
				if (each.includes(content.getClass())) {
					throw unfinished(call, "a " + each.type().getName(), each.instead());
				}
			}
		}
	}

	private static IllegalStateException unfinished(LockCall call, String what, String action) {
		Method method = call.method();
		return new IllegalStateException("The method " + method.getDeclaringClass().getName() + "." + method.getName()
				+ " with @RedLock returned " + what + ", and its return type does not say so. The lock is released when"
				+ " the method returns, and the work of this result would run after that. " + action);
	}

}

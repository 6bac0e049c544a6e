package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockOperations;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapterRegistry;

/**
 * For methods whose work is done when they return.
 */
final class BlockingLockInvoker implements LockInvoker {

	private final List<DeferredWork> undeclared;

	/**
	 * @param undeclared what the result may turn out to be, and must not
	 */
	BlockingLockInvoker(List<DeferredWork> undeclared) {
		this.undeclared = undeclared;
	}

	@Override
	@SuppressWarnings("NullAway") // A callback may return null; its type parameter admits
									// it.
	public @Nullable Object invoke(RedLockOperations operations, LockRequest request, MethodInvocation invocation,
			FailureHandler onFailure) throws Throwable {
		AtomicBoolean entered = new AtomicBoolean();
		try {
			return operations.<@Nullable Object>execute(request, (lease) -> {
				entered.set(true);
				onFailure.acquired();
				Object result = LockInvoker.<RuntimeException>proceed(invocation);
				refuseUnfinished(result, invocation);
				return result;
			});
		}
		catch (LockNotAcquiredException ex) {
			if (entered.get()) {
				throw ex;
			}
			return onFailure.handle(ex, invocation);
		}
	}

	/**
	 * A method that is declared to return anything may return work in progress.
	 */
	private void refuseUnfinished(@Nullable Object result, MethodInvocation invocation) {
		Object content = DeferredWork.unwrap(result);
		if (content instanceof Future<?> future) {
			if (!future.isDone()) {
				throw unfinished(invocation, "a future that is not done",
						"Declare CompletableFuture or CompletionStage.");
			}
		}
		else if (content != null && !this.undeclared.isEmpty()) {
			// First, since a Mono can be a Callable too.
			if (ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, content) != null) {
				throw unfinished(invocation, "a publisher", "Declare Mono, Flux or the type that it has.");
			}
			for (DeferredWork each : this.undeclared) {
				if (each.includes(content.getClass())) {
					throw unfinished(invocation, "a " + each.type().getName(), each.instead());
				}
			}
		}
	}

	private static IllegalStateException unfinished(MethodInvocation invocation, String what, String action) {
		Method method = invocation.getMethod();
		return new IllegalStateException("The method " + method.getDeclaringClass().getName() + "." + method.getName()
				+ " with @RedLock returned " + what + ", and its return type does not say so. The lock is released when"
				+ " the method returns, and the work of this result would run after that. " + action);
	}

}

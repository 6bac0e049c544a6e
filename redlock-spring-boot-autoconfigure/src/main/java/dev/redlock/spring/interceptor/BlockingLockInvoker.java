package dev.redlock.spring.interceptor;

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

	@Override
	@SuppressWarnings("NullAway") // A callback may return null; its type parameter admits
									// it.
	public @Nullable Object invoke(RedLockOperations operations, LockRequest request, MethodInvocation invocation,
			FailureHandler onFailure) throws Throwable {
		AtomicBoolean entered = new AtomicBoolean();
		try {
			return operations.<@Nullable Object>execute(request, (lease) -> {
				entered.set(true);
				return finished(LockInvoker.<RuntimeException>proceed(invocation), invocation);
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
	private static @Nullable Object finished(@Nullable Object result, MethodInvocation invocation) {
		if (result instanceof Future<?> future && !future.isDone()) {
			throw new IllegalStateException("The method " + invocation.getMethod().getName()
					+ " with @RedLock returned a future that is not done, and its return type does not say so: the"
					+ " lock would be released too early. Declare CompletableFuture or CompletionStage.");
		}
		if (result != null && invocation.getMethod().getReturnType() == Object.class
				&& ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, result) != null
				&& !(result instanceof Future)) {
			throw new IllegalStateException("The method " + invocation.getMethod().getName()
					+ " with @RedLock returned a publisher, and its return type does not say so: the lock would be"
					+ " released too early. Declare Mono, Flux or what it is.");
		}
		return result;
	}

}

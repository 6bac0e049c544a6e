package dev.redlock.spring.internal.call;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.spring.internal.method.DeferredWork;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

/**
 * Runs locked methods that return a {@code CompletionStage}, and holds the lock until the
 * stage completes. The caller's thread waits for the lock and calls the method. All
 * exceptions reach the caller through the returned future, even if the lock was not
 * acquired.
 */
final class FutureLockInvoker implements LockInvoker {

	private static final Class<?> NETTY = DeferredWork.type("io.netty.util.concurrent.FastThreadLocalThread");

	private static final Class<?> REACTOR = DeferredWork.type("reactor.core.scheduler.NonBlocking");

	@Override
	public @Nullable Object invoke(RedLockOperations operations, LockCall call) throws Throwable {
		try {
			if (!call.meetsCondition()) {
				return call.proceed();
			}
			requireThreadMayBlock(call);
			return run(operations, call);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private static @Nullable Object run(RedLockOperations operations, LockCall call) throws Throwable {
		try {
			return operations.<@Nullable Object>executeUntilComplete(call.request(),
					(lease) -> stage(call.runLocked()));
		}
		catch (LockNotAcquiredException ex) {
			return call.answer(ex);
		}
	}

	private static void requireThreadMayBlock(LockCall call) {
		Thread thread = Thread.currentThread();
		if (NETTY.isInstance(thread) || REACTOR.isInstance(thread)) {
			throw new IllegalStateException("The method " + call.method().getDeclaringClass().getName() + "."
					+ call.method().getName() + " with @RedLock waits for its lock on the thread of its caller, and "
					+ thread.getName() + " must not block. Return a Mono, or call the method from another thread.");
		}
	}

	@SuppressWarnings("unchecked")
	private static CompletionStage<@Nullable Object> stage(@Nullable Object returned) {
		if (returned == null) {
			throw new IllegalStateException("A method with @RedLock returned null instead of a CompletionStage");
		}
		return (CompletionStage<@Nullable Object>) returned;
	}

}

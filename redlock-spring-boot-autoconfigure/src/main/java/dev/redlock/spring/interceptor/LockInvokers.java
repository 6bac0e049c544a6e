package dev.redlock.spring.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * Chooses the invoker for a return type. A type whose work goes on after the method has
 * returned, and that no invoker knows, is refused: its lock would be released too early.
 */
final class LockInvokers {

	private final LockInvoker blocking = new BlockingLockInvoker();

	private final LockInvoker future = new FutureLockInvoker();

	LockInvoker forMethod(AnnotatedMethod method) {
		Class<?> type = method.method().getReturnType();
		if (type == CompletionStage.class || type == CompletableFuture.class) {
			return this.future;
		}
		if (KotlinDetector.isSuspendingFunction(method.method())) {
			throw refused(method, "it is a suspending function");
		}
		if (Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)
				|| Flow.Publisher.class.isAssignableFrom(type)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null) {
			throw refused(method, "it returns " + type.getTypeName());
		}
		return this.blocking;
	}

	private static InvalidRedLockException refused(AnnotatedMethod method, String why) {
		return new InvalidRedLockException(method, "return type",
				why + ", which is not supported yet: the lock would be released before the work is done.",
				"Return CompletableFuture or CompletionStage, or wait for the result inside the method.");
	}

}

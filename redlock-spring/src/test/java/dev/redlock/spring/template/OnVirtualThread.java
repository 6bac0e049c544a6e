package dev.redlock.spring.template;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Runs each test on a virtual thread of its own, where there are any.
 */
public final class OnVirtualThread implements ExecutionCondition, InvocationInterceptor {

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		int version = Runtime.version().feature();
		return (version >= 21) ? ConditionEvaluationResult.enabled("There are virtual threads")
				: ConditionEvaluationResult
					.disabled("There are no virtual threads in JDK " + version + ", only from 21");
	}

	@Override
	public void interceptTestMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method,
			ExtensionContext context) throws Throwable {
		CompletableFuture<Void> test = new CompletableFuture<>();
		start(() -> {
			try {
				invocation.proceed();
				test.complete(null);
			}
			catch (Throwable ex) {
				test.completeExceptionally(ex);
			}
		});
		try {
			test.join();
		}
		catch (CompletionException ex) {
			throw ex.getCause();
		}
	}

	/**
	 * By reflection, since the tests compile for JDK 17.
	 */
	private static void start(Runnable work) throws ReflectiveOperationException {
		Thread thread = (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
		if (!(boolean) Thread.class.getMethod("isVirtual").invoke(thread)) {
			throw new IllegalStateException(thread + " is not virtual");
		}
	}

}

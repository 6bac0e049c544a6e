package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.Nullness;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * What a call does that did not get its lock.
 */
@FunctionalInterface
interface FailureHandler {

	/**
	 * Types of suspending functions that need no null for nothing.
	 */
	Set<String> EMPTY_IN_KOTLIN = Set.of("void", "kotlin.Unit", "kotlinx.coroutines.flow.Flow");

	/**
	 * Tells the caller.
	 */
	FailureHandler THROW = (failure, invocation) -> {
		throw failure;
	};

	/**
	 * Answers in place of the method.
	 * @param failure why there is no lock
	 * @param invocation the call
	 * @return what the method would have returned
	 */
	@Nullable Object handle(LockNotAcquiredException failure, MethodInvocation invocation) throws Throwable;

	/**
	 * Is told that a call got its lock.
	 */
	default void acquired() {
	}

	/**
	 * Does nothing while somebody else has the lock, and returns the empty value of the
	 * return type.
	 */
	static FailureHandler skip(Class<?> returnType) {
		return (failure, invocation) -> {
			if (failure.reason() != Reason.HELD) {
				throw failure;
			}
			return nothing(returnType);
		};
	}

	/**
	 * Whether there is something that stands for nothing in a return type.
	 */
	static boolean canSkip(Method method) {
		Class<?> type = method.getReturnType();
		if (KotlinDetector.isSuspendingFunction(method)) {
			String declared = new MethodParameter(method, -1).getParameterType().getName();
			return EMPTY_IN_KOTLIN.contains(declared) || Nullness.forMethodReturnType(method) != Nullness.NON_NULL;
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		return (adapter != null) ? adapter.supportsEmpty() : !type.isPrimitive() || type == void.class;
	}

	/**
	 * The empty value of a return type.
	 */
	static @Nullable Object nothing(Class<?> returnType) {
		if (returnType == Optional.class) {
			return Optional.empty();
		}
		if (returnType == OptionalInt.class) {
			return OptionalInt.empty();
		}
		if (returnType == OptionalLong.class) {
			return OptionalLong.empty();
		}
		if (returnType == OptionalDouble.class) {
			return OptionalDouble.empty();
		}
		if (CompletionStage.class.isAssignableFrom(returnType)) {
			return CompletableFuture.completedFuture(null);
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(returnType);
		return (adapter != null) ? adapter.getDescriptor().getEmptyValue() : null;
	}

}

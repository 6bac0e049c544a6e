package dev.redlock.spring.interceptor;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.LockNotAcquiredException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * What a call does that did not get its lock.
 */
@FunctionalInterface
interface FailureHandler {

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
	 * Does nothing, and returns what stands for nothing in the return type.
	 */
	static FailureHandler skip(Class<?> returnType) {
		return (failure, invocation) -> nothing(returnType);
	}

	private static @Nullable Object nothing(Class<?> returnType) {
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
		return CompletionStage.class.isAssignableFrom(returnType) ? CompletableFuture.completedFuture(null) : null;
	}

}

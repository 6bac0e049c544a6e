package dev.redlock.spring.internal.call;

import dev.redlock.LockNotAcquiredException;
import org.jspecify.annotations.Nullable;

/**
 * Decides the result of a call that did not get its lock: an exception, an empty value,
 * or the result of a fallback.
 */
@FunctionalInterface
public interface FailureHandler {

	FailureHandler THROW = (failure, call) -> {
		throw failure;
	};

	@Nullable Object handle(LockNotAcquiredException failure, LockCall call) throws Throwable;

}

package dev.redlock.spring.internal.call;

import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

/**
 * Runs locked methods with one kind of return type, such as publishers, and holds the
 * lock until the work of the method has ended.
 */
@FunctionalInterface
public interface LockInvoker {

	@Nullable Object invoke(RedLockOperations operations, LockCall call) throws Throwable;

}

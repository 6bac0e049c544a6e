/**
 * Runs methods with {@link dev.redlock.spring.annotation.RedLock @RedLock} under their
 * lock.
 * <p>
 * At startup, {@code RedLockSpecReader} reads each {@code @RedLock} into a
 * {@code RedLockSpec}, and {@code StartCheck} checks that a proxy can lock the method.
 * Each call of a locked method goes through {@code RedLockInterceptor} to the
 * {@code LockInvoker} for the method's return type. A {@code FailureHandler} decides the
 * result of a call that does not get its lock. With AspectJ, {@code RedLockAspect} also
 * locks calls that bypass the proxy.
 */
@NullMarked
package dev.redlock.spring.interceptor;

import org.jspecify.annotations.NullMarked;

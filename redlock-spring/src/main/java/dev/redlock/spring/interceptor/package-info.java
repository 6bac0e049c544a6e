/**
 * What users and features of Redlock may touch of locked methods.
 * <p>
 * {@link dev.redlock.spring.interceptor.RedLockConfiguration} turns on
 * {@link dev.redlock.spring.annotation.RedLock @RedLock}. What runs the methods is in
 * rooms that users do not import: at startup, {@code RedLockSpecReader} reads each
 * annotation into a {@code RedLockSpec}, and {@code StartCheck} checks that a proxy can
 * lock the method. Each call goes through {@code RedLockInterceptor} to the
 * {@code LockInvoker} for the return type of the method. A feature, such as jobs, enters
 * by a {@link dev.redlock.spring.interceptor.LockedMethodExtension}: it may choose the
 * templates of a method, or run the method itself in place of the invoker. With AspectJ,
 * {@code RedLockAspect} also locks calls that bypass the proxy.
 */
@NullMarked
package dev.redlock.spring.interceptor;

import org.jspecify.annotations.NullMarked;

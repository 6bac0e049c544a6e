/**
 * Runs methods with {@link dev.redlock.spring.annotation.RedLock @RedLock} under their
 * lock.
 * <p>
 * Terms: a <em>spec</em> is a {@code @RedLock} that was read and checked at startup. A
 * <em>call</em> is one call of a locked method. An <em>invoker</em> runs calls of methods
 * with one kind of return type. A <em>failure handler</em> decides the result of a call
 * that does not get its lock.
 * <p>
 * The classes of this package, in the order in which to read them:
 * <ul>
 * <li>Startup: {@code RedLockConfiguration} registers {@code RedLockAdvisor}, which
 * Spring's proxy creator applies to beans. {@code StartCheck} and {@code ProxyCheck}
 * check the beans with locked methods.</li>
 * <li>Annotations: {@code AnnotatedMethod} is a method with its annotation.
 * {@code RedLockSpecReader} reads {@code @RedLock} into a {@code RedLockSpec}, and
 * {@code RedLockSpecs} caches each {@code RedLockSpec}.</li>
 * <li>Text attributes: {@code LockTextParser}, {@code ExpressionCheck} and
 * {@code LockDuration} read them at startup, and {@code LockText} evaluates their
 * expressions in each call.</li>
 * <li>A call: {@code RedLockInterceptor} creates a {@code LockCall} and gives it to a
 * {@code LockInvoker}: {@code BlockingLockInvoker}, {@code ReactiveLockInvoker}, or
 * {@code HeldResultInvoker} for methods that return a future. {@code LockInvokers}
 * chooses the invoker, {@code DeferredWork} lists the return types that are refused, and
 * {@code BlockingLockInvoker} warns if a method returns one of these types that its
 * declaration does not show. The {@code Runner} of a {@code LockedMethodExtension} may
 * take the place of an invoker.</li>
 * <li>Calls that do not get their lock: {@code Skip} with {@code EmptyValue} skips them,
 * and {@code FallbackMethod} calls another method instead.</li>
 * <li>AspectJ: {@code RedLockAspect} locks calls that no proxy can lock, and
 * {@code Weaving} connects it with Spring.</li>
 * </ul>
 */
@NullMarked
package dev.redlock.spring.interceptor;

import org.jspecify.annotations.NullMarked;

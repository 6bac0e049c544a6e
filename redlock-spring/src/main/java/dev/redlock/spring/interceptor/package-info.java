/**
 * Runs methods with {@link dev.redlock.spring.annotation.RedLock @RedLock} under their
 * lock.
 * <p>
 * Words: a <em>spec</em> is an annotation that was read and checked; a <em>call</em> is
 * one call of a locked method; an <em>invoker</em> runs calls in the way that suits the
 * return type; a <em>failure handler</em> answers a call without the lock.
 * <p>
 * Families, in the order in which to read them:
 * <ul>
 * <li>Start: {@code RedLockConfiguration} registers {@code RedLockAdvisor}, which
 * Spring's proxy creator applies to beans. {@code StartCheck} and {@code ProxyCheck}
 * check these beans.</li>
 * <li>Annotations: {@code AnnotatedMethod} is a method with its annotation.
 * {@code RedLockSpecReader} reads the annotation, and {@code RedLockSpecs} caches the
 * result, a {@code RedLockSpec}.</li>
 * <li>Text: {@code LockTextParser} and {@code ExpressionCheck} at start, {@code LockText}
 * and {@code LockDuration} in a call.</li>
 * <li>A call: {@code RedLockInterceptor} creates a {@code LockCall} and gives it to a
 * {@code LockInvoker}: blocking, reactive, or held until a future completes.
 * {@code LockInvokers} chooses the invoker, {@code DeferredWork} lists the return types
 * that are refused, and {@code BlockingLockInvoker} warns if the declared type hides such
 * a result. The {@code Runner} of a {@code LockedMethodExtension} may take the place of
 * an invoker.</li>
 * <li>Calls without the lock: {@code Skip} with {@code EmptyValue}, and
 * {@code FallbackMethod}.</li>
 * <li>Weaving: {@code RedLockAspect} and {@code Weaving}.</li>
 * </ul>
 */
@NullMarked
package dev.redlock.spring.interceptor;

import org.jspecify.annotations.NullMarked;

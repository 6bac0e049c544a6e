package dev.redlock.spring.internal.weaving;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.reflect.MethodSignature;
import org.jspecify.annotations.Nullable;

/**
 * Adapts a call that AspectJ intercepts to the {@code MethodInvocation} that Spring's
 * interceptors expect.
 */
public final class JoinPointInvocation implements MethodInvocation {

	private final ProceedingJoinPoint joinPoint;

	private final @Nullable Object[] arguments;

	public JoinPointInvocation(ProceedingJoinPoint joinPoint) {
		this.joinPoint = joinPoint;
		this.arguments = joinPoint.getArgs();
	}

	@Override
	public Method getMethod() {
		return ((MethodSignature) this.joinPoint.getSignature()).getMethod();
	}

	@Override
	public @Nullable Object[] getArguments() {
		return this.arguments;
	}

	@Override
	public @Nullable Object proceed() throws Throwable {
		return this.joinPoint.proceed();
	}

	@Override
	public @Nullable Object getThis() {
		return this.joinPoint.getThis();
	}

	@Override
	public AccessibleObject getStaticPart() {
		return getMethod();
	}

	public Class<?> targetClass() {
		Object target = getThis();
		return (target != null) ? target.getClass() : getMethod().getDeclaringClass();
	}

}

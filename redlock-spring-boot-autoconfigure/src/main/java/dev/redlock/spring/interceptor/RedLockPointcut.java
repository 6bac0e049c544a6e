package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;

import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * Matches the methods that a {@code @RedLock} applies to. What it says is not read here:
 * this is also asked ahead of time, when its placeholders need not have values yet.
 */
final class RedLockPointcut extends StaticMethodMatcherPointcut {

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return AnnotatedMethod.find(method, targetClass).isPresent();
	}

}

package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;

import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * Matches the methods that a {@code @RedLock} applies to. It does not read attributes,
 * because ahead of time their placeholders may have no values yet.
 */
final class RedLockPointcut extends StaticMethodMatcherPointcut {

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return AnnotatedMethod.find(method, targetClass).isPresent();
	}

}

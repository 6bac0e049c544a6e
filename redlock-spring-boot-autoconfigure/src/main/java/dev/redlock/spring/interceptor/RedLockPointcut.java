package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;

import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * Matches the methods that a {@code @RedLock} applies to.
 */
final class RedLockPointcut extends StaticMethodMatcherPointcut {

	private final RedLockSpecs specs;

	RedLockPointcut(RedLockSpecs specs) {
		this.specs = specs;
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return this.specs.find(method, targetClass).isPresent();
	}

}

package dev.redlock.spring.interceptor;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;

/**
 * Looks behind proxies.
 */
final class Targets {

	private Targets() {
	}

	/**
	 * The bean itself, behind all proxies around proxies.
	 */
	static @Nullable Object ultimate(@Nullable Object called) {
		Object target = called;
		for (Object next = called; next != null; next = AopProxyUtils.getSingletonTarget(next)) {
			target = next;
		}
		return target;
	}

}

package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A call of a woven method that the proxy has locked already, so that the aspect does not
 * lock the call again.
 *
 * @param method the woven method
 * @param bean the bean, behind all proxies
 */
record ProxiedCall(Method method, @Nullable Object bean) {

	private static final ThreadLocal<@Nullable ProxiedCall> EXPECTED = new ThreadLocal<>();

	/**
	 * Whether the proxy has recorded this call on the thread. The record counts only for
	 * the first matching call, because the method may call itself.
	 */
	static boolean hasArrived(Method method, @Nullable Object target) {
		ProxiedCall expected = EXPECTED.get();
		boolean arrived = expected != null && expected.bean == target && expected.method.equals(method);
		if (arrived) {
			EXPECTED.remove();
		}
		return arrived;
	}

	@Nullable Object proceed(MethodInvocation invocation) throws Throwable {
		ProxiedCall before = EXPECTED.get();
		EXPECTED.set(this);
		try {
			return invocation.proceed();
		}
		finally {
			EXPECTED.set(before);
		}
	}

}

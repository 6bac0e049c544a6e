package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A call of a woven method that the proxy has locked already. The aspect does not lock it
 * again.
 *
 * @param method the woven method
 * @param bean the bean, behind all proxies
 */
record ProxiedCall(Method method, @Nullable Object bean) {

	private static final ThreadLocal<@Nullable ProxiedCall> EXPECTED = new ThreadLocal<>();

	/**
	 * Whether the proxy has recorded this call on the thread. The record is for the first
	 * matching call only, because the method may call itself.
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

package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A call that the proxy has locked and that now goes to a woven method. The aspect lets
 * it pass, so that no call is locked twice.
 *
 * @param method the woven method
 * @param bean the bean, behind all proxies
 */
record ProxiedCall(Method method, @Nullable Object bean) {

	private static final ThreadLocal<@Nullable ProxiedCall> EXPECTED = new ThreadLocal<>();

	/**
	 * Whether the thread's proxy has announced this call. Only the first call that
	 * matches was announced, because the method may call itself.
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

package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A call of a woven method that the Spring proxy has locked already. This record tells
 * {@link RedLockAspect} not to lock the call again.
 *
 * @param method the method into which AspectJ has woven the aspect
 * @param bean the bean itself, behind all of its proxies
 */
record ProxiedCall(Method method, @Nullable Object bean) {

	private static final ThreadLocal<@Nullable ProxiedCall> EXPECTED = new ThreadLocal<>();

	/**
	 * Whether the Spring proxy on this thread has locked the call that now arrives at the
	 * aspect. The answer is true only once for each call through the proxy, because the
	 * method may call itself.
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

package dev.redlock.spring.internal.weaving;

import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Tells the aspect that the Spring proxy has already locked a call of a woven method.
 */
public record ProxiedCall(Method method, @Nullable Object bean) {

	private static final ThreadLocal<@Nullable ProxiedCall> EXPECTED = new ThreadLocal<>();

	/**
	 * Returns true only once for each call through the proxy, because the woven method
	 * may call itself.
	 */
	public static boolean isAlreadyLocked(Method method, @Nullable Object target) {
		ProxiedCall expected = EXPECTED.get();
		boolean arrived = expected != null && expected.bean == target && expected.method.equals(method);
		if (arrived) {
			EXPECTED.remove();
		}
		return arrived;
	}

	public @Nullable Object proceed(MethodInvocation invocation) throws Throwable {
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

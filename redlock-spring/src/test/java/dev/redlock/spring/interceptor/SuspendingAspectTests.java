package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;

import dev.redlock.spring.internal.weaving.WovenCalls;
import org.aopalliance.intercept.MethodInterceptor;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.reflect.MethodSignature;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The aspect leaves suspending functions to the proxy.
 */
class SuspendingAspectTests {

	@Test
	void aWovenSuspendingFunctionReturnsWhatItReturns() throws Throwable {
		Method skip = Arrays.stream(SuspendingStock.class.getMethods())
			.filter((method) -> method.getName().equals("skip"))
			.findFirst()
			.orElseThrow();
		SuspendingStock stock = new SuspendingStock();
		MethodSignature signature = answering(MethodSignature.class, "getMethod", skip);
		ProceedingJoinPoint call = (ProceedingJoinPoint) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { ProceedingJoinPoint.class }, (proxy, method, arguments) -> switch (method.getName()) {
					case "getSignature" -> signature;
					case "getThis", "getTarget" -> stock;
					case "getArgs" -> new Object[] { "42", null };
					case "proceed" -> "the value";
					default -> throw new UnsupportedOperationException(method.getName());
				});
		RedLockAspect aspect = new RedLockAspect();
		MethodInterceptor locking = (invocation) -> {
			throw new AssertionError("The aspect locked a suspending function");
		};
		WovenCalls.connect(locking);
		try {
			assertThat(aspect.lock(call)).isEqualTo("the value");
		}
		finally {
			WovenCalls.disconnect(locking);
		}
	}

	@SuppressWarnings("unchecked")
	private static <T> T answering(Class<T> type, String name, Object answer) {
		return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> method.getName().equals(name) ? answer : null);
	}

}

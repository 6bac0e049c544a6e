package dev.redlock.test.lateholder;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Objects;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.ProxyFactory;

/**
 * Proxies of beans, and of the interfaces of a driver.
 */
final class Proxies {

	private static final Object[] NONE = {};

	private Proxies() {
	}

	/**
	 * Creates a proxy that equals only itself.
	 * @param type the interface
	 * @param object the object behind it
	 * @param calls handles each call of a method of the driver
	 */
	static <T> T create(Class<T> type, @Nullable Object object, Calls calls) {
		Object target = Objects.requireNonNull(object);
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, given) -> {
				Object[] args = (given != null) ? given : NONE;
				return switch (method.getName()) {
					case "equals" -> proxy == args[0];
					case "hashCode" -> System.identityHashCode(proxy);
					default -> same(target, proxy, calls.handle(method, args, () -> invoke(target, method, args)));
				};
			}));
	}

	/**
	 * Creates a proxy of a bean. It has the class of the bean if possible, because other
	 * beans may inject that class.
	 */
	static Object around(Object bean, MethodInterceptor interceptor) {
		ProxyFactory factory = new ProxyFactory(bean);
		factory.setProxyTargetClass(!Modifier.isFinal(bean.getClass().getModifiers()));
		factory.addAdvice(interceptor);
		return factory.getProxy(bean.getClass().getClassLoader());
	}

	/**
	 * Returns the proxy if a method returned its own object, as most methods of a
	 * statement do.
	 */
	private static @Nullable Object same(Object target, Object proxy, @Nullable Object result) {
		return (result == target) ? proxy : result;
	}

	private static @Nullable Object invoke(Object target, Method method, Object[] args) throws Throwable {
		try {
			return method.invoke(target, args);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	/**
	 * Handles calls of a proxy.
	 */
	interface Calls {

		@Nullable Object handle(Method method, Object[] args, Target target) throws Throwable;

	}

	/**
	 * The object behind a proxy.
	 */
	interface Target {

		@Nullable Object proceed() throws Throwable;

	}

}

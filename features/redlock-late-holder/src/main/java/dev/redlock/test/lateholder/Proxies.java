package dev.redlock.test.lateholder;

import java.lang.reflect.Modifier;
import java.util.Objects;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.util.ClassUtils;

/**
 * Creates proxies of beans, and of the interfaces of a database driver.
 */
final class Proxies {

	private Proxies() {
	}

	static <T> T create(Class<T> type, @Nullable Object target, MethodInterceptor interceptor) {
		ProxyFactory factory = new ProxyFactory(type, interceptor);
		factory.setTarget(Objects.requireNonNull(target));
		return type.cast(factory.getProxy(Proxies.class.getClassLoader()));
	}

	/**
	 * If possible, the proxy is a subclass of the bean's class, because other beans may
	 * inject the bean by its class.
	 */
	static Object around(Object bean, MethodInterceptor interceptor) {
		ProxyFactory factory = new ProxyFactory(bean);
		ClassLoader loader = bean.getClass().getClassLoader();
		factory.setProxyTargetClass(isExtensible(bean.getClass()));
		factory.addAdvice(interceptor);
		return factory.getProxy((loader != null) ? loader : Proxies.class.getClassLoader());
	}

	/**
	 * Whether a subclass can pass all calls on. A final method would run on the proxy
	 * object, whose fields are null.
	 */
	static boolean isExtensible(Class<?> type) {
		return type.getClassLoader() != null && !Modifier.isFinal(type.getModifiers())
				&& Stream.of(type.getMethods())
					.filter((method) -> Modifier.isFinal(method.getModifiers()))
					.allMatch((method) -> method.equals(ClassUtils.getInterfaceMethodIfPossible(method, type)));
	}

}

package dev.redlock.test.lateholder;

import java.lang.reflect.Modifier;
import java.util.Objects;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.ProxyFactory;

/**
 * Creates proxies of beans, and of the interfaces of a database driver.
 */
final class Proxies {

	private Proxies() {
	}

	/**
	 * Creates a proxy of an object of a driver. If a method returns that object, the
	 * proxy returns itself.
	 * @param type the interface
	 * @param target what the driver has created
	 */
	static <T> T create(Class<T> type, @Nullable Object target, MethodInterceptor interceptor) {
		ProxyFactory factory = new ProxyFactory(type, interceptor);
		factory.setTarget(Objects.requireNonNull(target));
		return type.cast(factory.getProxy(Proxies.class.getClassLoader()));
	}

	/**
	 * Creates a proxy of a bean. The proxy has the class of the bean if possible, because
	 * other beans may inject that class.
	 */
	static Object around(Object bean, MethodInterceptor interceptor) {
		ProxyFactory factory = new ProxyFactory(bean);
		factory.setProxyTargetClass(!Modifier.isFinal(bean.getClass().getModifiers()));
		factory.addAdvice(interceptor);
		return factory.getProxy(bean.getClass().getClassLoader());
	}

}

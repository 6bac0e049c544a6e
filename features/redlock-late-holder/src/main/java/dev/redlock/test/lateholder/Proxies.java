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
		factory.setProxyTargetClass(loader != null && !Modifier.isFinal(bean.getClass().getModifiers()));
		factory.addAdvice(interceptor);
		return factory.getProxy((loader != null) ? loader : Proxies.class.getClassLoader());
	}

}

package dev.redlock.test.lateholder;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Wraps the beans through which an application reaches databases and other services, so
 * that the wrapped beans report each access to the test.
 */
final class WatchedBeans implements BeanPostProcessor {

	/**
	 * The bean that starts leader election, which the test starts only for a call that
	 * needs to lead.
	 */
	static final String LEADERS = "redlockLeaderLifecycle";

	private final Steps steps;

	private final ConfigurableListableBeanFactory beans;

	/**
	 * The elements have a type of the JDK, because the libraries of classes such as
	 * {@code R2dbcSteps} may be absent.
	 */
	private final List<UnaryOperator<Object>> watchers = new ArrayList<>();

	WatchedBeans(Steps steps, ConfigurableListableBeanFactory beans) {
		this.steps = steps;
		this.beans = beans;
		this.watchers.add(new JdbcSteps(steps)::watch);
		if (isPresent("io.r2dbc.spi.ConnectionFactory")) {
			this.watchers.add(new R2dbcSteps(steps)::watch);
		}
		if (isPresent("org.springframework.web.client.RestClient")) {
			this.watchers.add(new HttpSteps(steps)::watch);
		}
		if (isPresent("org.springframework.web.reactive.function.client.WebClient")) {
			this.watchers.add(new WebClientSteps(steps)::watch);
		}
	}

	Steps steps() {
		return this.steps;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		if (name.equals(LEADERS)) {
			return Proxies.around(bean,
					(call) -> call.getMethod().getName().equals("isAutoStartup") ? false : call.proceed());
		}
		Object watched = (bean instanceof Executor && isReplaceable(bean, name)) ? TaskMarks.watch(bean) : bean;
		for (UnaryOperator<Object> watcher : this.watchers) {
			watched = watcher.apply(watched);
		}
		return watched;
	}

	/**
	 * If the proxy is no subclass of the bean's class, other beans must inject the bean
	 * by an interface.
	 */
	private boolean isReplaceable(Object bean, String name) {
		return Proxies.isExtensible(bean.getClass()) || Proxy.isProxyClass(bean.getClass())
				|| this.beans.containsBeanDefinition(name)
						&& this.beans.getMergedBeanDefinition(name).getResolvableType().toClass().isInterface();
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, WatchedBeans.class.getClassLoader());
	}

}

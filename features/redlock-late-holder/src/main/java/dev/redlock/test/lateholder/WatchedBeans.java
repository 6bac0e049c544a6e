package dev.redlock.test.lateholder;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.ClassUtils;

/**
 * Wraps the beans through which an application reaches databases and other services, so
 * that the wrapped beans report each access to the test.
 */
final class WatchedBeans implements BeanPostProcessor {

	private final Steps steps;

	/**
	 * The elements have a type of the JDK, because the libraries of classes such as
	 * {@code R2dbcSteps} may be absent.
	 */
	private final List<UnaryOperator<Object>> watchers = new ArrayList<>();

	WatchedBeans(Steps steps) {
		this.steps = steps;
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
		Object watched = bean;
		for (UnaryOperator<Object> watcher : this.watchers) {
			watched = watcher.apply(watched);
		}
		return watched;
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, WatchedBeans.class.getClassLoader());
	}

}

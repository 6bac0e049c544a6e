package dev.redlock.spring.autoconfigure;

import dev.redlock.Redlock;
import dev.redlock.spring.autoconfigure.internal.settings.InvalidRedlockConfigurationException;
import dev.redlock.spring.autoconfigure.internal.settings.RedlockInstance;
import dev.redlock.spring.interceptor.InvalidRedLockException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Explains why startup failed because of a wrong lock property or a wrong annotation.
 * Runs before Spring Boot's analyzer for binding, which would show the password in the
 * URL of a Redis server.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class RedlockFailureAnalyzer implements FailureAnalyzer {

	private final @Nullable BeanFactory beans;

	/**
	 * @param beans the beans of the failed application context, null if no context exists
	 * yet
	 */
	RedlockFailureAnalyzer(@Nullable BeanFactory beans) {
		this.beans = beans;
	}

	@Override
	public @Nullable FailureAnalysis analyze(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof InvalidRedlockConfigurationException invalid) {
				return new FailureAnalysis(invalid.description(), invalid.action(), invalid);
			}
			if (cause instanceof InvalidRedLockException invalid) {
				return new FailureAnalysis(invalid.description(), invalid.action(), invalid);
			}
			FailureAnalysis severalLocks = (cause instanceof NoSuchBeanDefinitionException bean)
					? severalLocks(bean, bean.getBeanType()) : null;
			if (severalLocks != null) {
				return severalLocks;
			}
			if (cause instanceof BindException unbound && isInstance(unbound)) {
				return singleValue(unbound);
			}
		}
		return null;
	}

	private @Nullable FailureAnalysis severalLocks(NoSuchBeanDefinitionException failure, @Nullable Class<?> type) {
		if (type == null || type == Redlock.class || !type.getName().startsWith("dev.redlock.")) {
			return null;
		}
		String[] locks = (this.beans instanceof ListableBeanFactory factory)
				? BeanFactoryUtils.beanNamesForTypeIncludingAncestors(factory, Redlock.class) : new String[0];
		return (locks.length < 2) ? null
				: new FailureAnalysis(
						"There is no " + type.getSimpleName() + " because there are " + locks.length
								+ " Redlock beans, " + String.join(", ", locks) + ", and none of them is primary.",
						"Put @Primary on the Redlock bean that methods with @RedLock use, or pass that bean to a "
								+ "RedLockTemplate bean.",
						failure);
	}

	private static boolean isInstance(BindException failure) {
		return isMap(failure) || failure.getTarget().getType().resolve() == RedlockInstance.class;
	}

	private static boolean isMap(BindException failure) {
		return failure.getName().toString().equals("redlock.instances");
	}

	private static FailureAnalysis singleValue(BindException failure) {
		String property = failure.getName() + (isMap(failure) ? ".<name>" : "");
		return new FailureAnalysis("The configuration property '" + failure.getName()
				+ "' is not usable: the property has a single value, but an instance needs properties below it.",
				"Write " + property + ".url for a URL like redis://host:6379, or " + property + ".host and " + property
						+ ".port.",
				failure);
	}

}

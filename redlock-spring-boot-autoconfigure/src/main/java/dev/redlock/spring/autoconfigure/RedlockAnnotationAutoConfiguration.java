package dev.redlock.spring.autoconfigure;

import java.util.stream.Stream;

import dev.redlock.Redlock;
import dev.redlock.spring.interceptor.RedLockBeanPostProcessor;
import dev.redlock.spring.template.RedLockOperations;

import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of {@link dev.redlock.spring.annotation.RedLock @RedLock}. It needs
 * no AspectJ, and does not depend on {@code spring.aop.auto}.
 */
@AutoConfiguration(after = RedlockAutoConfiguration.class)
@ConditionalOnClass({ Redlock.class, AbstractBeanFactoryAwareAdvisingPostProcessor.class })
public final class RedlockAnnotationAutoConfiguration {

	/**
	 * Each context needs its own, because a post-processor serves only the beans of its
	 * context.
	 */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	static RedLockBeanPostProcessor redLockBeanPostProcessor(ObjectProvider<RedLockOperations> operations,
			ObjectProvider<Redlock> redlock, Environment environment) {
		boolean withoutLocks = "false".equalsIgnoreCase(environment.getProperty("redlock.enabled"))
				|| "always".equalsIgnoreCase(environment.getProperty("redlock.test.mode"));
		RedLockBeanPostProcessor postProcessor = new RedLockBeanPostProcessor(operations,
				withoutLocks ? new NoRedlock() : redlock);
		postProcessor
			.setProxyTargetClass(environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
		return postProcessor;
	}

	/**
	 * Leaves out the check of annotations against the nodes. Without locks no node is
	 * asked, so annotations may name instances that are not there.
	 */
	private static final class NoRedlock implements ObjectProvider<Redlock> {

		@Override
		public Stream<Redlock> stream() {
			return Stream.empty();
		}

	}

}

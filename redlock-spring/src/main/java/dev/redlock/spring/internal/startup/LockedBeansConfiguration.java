package dev.redlock.spring.internal.startup;

import dev.redlock.spring.interceptor.RedLockAdvisor;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * The beans that lock methods with {@code @RedLock}.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@Import(LockedBeansConfiguration.ProxyCreator.class)
final class LockedBeansConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockedBeans redLockedBeans(ConfigurableListableBeanFactory beans) {
		return new LockedBeans(beans);
	}

	/**
	 * If the bean name differed between contexts, Spring's proxy creator would also apply
	 * the advisor of the parent context and lock each call twice.
	 */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static RedLockAdvisor redLockAdvisor(LockedBeans lockedBeans) {
		return lockedBeans.advisor();
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockUsers redLockUsers(ConfigurableListableBeanFactory beans) {
		return new LockUsers(beans);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static StartCheck redLockStartCheck(LockedBeans lockedBeans, ConfigurableListableBeanFactory beans,
			LockUsers users) {
		return new StartCheck(lockedBeans, beans, users);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static TransactionObserver redLockTransactionObserver(ConfigurableListableBeanFactory beans) {
		return new TransactionObserver(beans);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static UnlockedBeansCheck redLockUnlockedBeansCheck(ConfigurableListableBeanFactory beans,
			ObjectProvider<LockedBeans> lockedBeans) {
		return new UnlockedBeansCheck(beans, lockedBeans);
	}

	/**
	 * Registers Spring's auto-proxy creator if the application has none.
	 */
	static final class ProxyCreator implements ImportBeanDefinitionRegistrar {

		private final Environment environment;

		ProxyCreator(Environment environment) {
			this.environment = environment;
		}

		@Override
		public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
			AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
			if (this.environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true)) {
				AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
			}
		}

	}

}

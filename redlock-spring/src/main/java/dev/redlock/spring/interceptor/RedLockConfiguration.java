package dev.redlock.spring.interceptor;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.context.annotation.Role;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Turns on {@link dev.redlock.spring.annotation.RedLock @RedLock}. With Spring Boot,
 * auto-configuration imports {@code RedLockConfiguration}. An application without Spring
 * Boot must import {@code RedLockConfiguration} and declare a bean of
 * {@link dev.redlock.spring.template.RedLockOperations RedLockOperations}, and for
 * publishers a {@code ReactiveRedLockTemplate}. Each application context with locked
 * methods needs its own import of {@code RedLockConfiguration}.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@Import(RedLockConfiguration.Beans.class)
public final class RedLockConfiguration {

	public RedLockConfiguration() {
	}

	/**
	 * Names the configuration by a text, because this package is below the rooms that use
	 * its types.
	 */
	static final class Beans implements ImportSelector {

		@Override
		public String[] selectImports(AnnotationMetadata importing) {
			return new String[] { "dev.redlock.spring.internal.startup.LockedBeansConfiguration" };
		}

	}

}

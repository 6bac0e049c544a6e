package dev.redlock.spring.interceptor;

import dev.redlock.Redlock;
import dev.redlock.spring.template.RedLockOperations;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * What an application without Spring Boot declares beside its template.
 */
@Configuration(proxyBeanMethods = false)
public class PlainSpring {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static RedLockBeanPostProcessor redLockBeanPostProcessor(ObjectProvider<RedLockOperations> operations,
			ObjectProvider<Redlock> redlock, Environment environment) {
		RedLockBeanPostProcessor postProcessor = new RedLockBeanPostProcessor(operations, redlock);
		postProcessor
			.setProxyTargetClass(environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
		return postProcessor;
	}

}

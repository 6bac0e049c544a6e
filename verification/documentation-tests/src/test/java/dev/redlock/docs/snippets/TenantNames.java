package dev.redlock.docs.snippets;

import dev.redlock.spring.interceptor.ResourceNameResolver;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class TenantNames {

	@Bean
	ResourceNameResolver tenantInFront(Tenants tenants) {
		return (call) -> call.names().stream().map((name) -> tenants.current() + ":" + name).toList();
	}

}

@FunctionalInterface
interface Tenants {

	String current();

}

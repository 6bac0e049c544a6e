package dev.redlock.docs.snippets;

import dev.redlock.spring.interceptor.ResourceNameResolver;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

// region: annotation-resolver
@Configuration(proxyBeanMethods = false)
class TenantNames {

	@Bean
	ResourceNameResolver tenantInFront(Tenants tenants) {
		return (call) -> call.names().stream().map((name) -> tenants.current() + ":" + name).toList();
	}

}
// endregion

@FunctionalInterface
interface Tenants {

	String current();

}

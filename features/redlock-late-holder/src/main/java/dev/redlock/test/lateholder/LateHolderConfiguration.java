package dev.redlock.test.lateholder;

import dev.redlock.Redlock;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.support.RestClientHttpServiceGroupConfigurer;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.reactive.function.client.support.WebClientHttpServiceGroupConfigurer;

/**
 * The beans of a test with {@link AutoConfigureLateHolder}.
 */
@Configuration(proxyBeanMethods = false)
class LateHolderConfiguration {

	private static final String SCHEDULING = "org.springframework.context.annotation.internalScheduledAnnotationProcessor";

	@Bean
	static WatchedBeans lateHolderWatchedBeans(ObjectProvider<Redlock> redlock, ConfigurableListableBeanFactory beans) {
		return new WatchedBeans(new Steps(() -> redlock.stream().flatMap((lock) -> lock.leases().stream()).toList()),
				beans);
	}

	@Bean
	LateHolder lateHolder(WatchedBeans watched, Servers servers, ApplicationContext context) {
		return new LateHolder(watched.steps(), servers, context);
	}

	/**
	 * Turns scheduling off, because scheduled methods would add steps at random.
	 */
	@Bean
	static BeanDefinitionRegistryPostProcessor lateHolderWithoutScheduling() {
		return (registry) -> {
			if (registry.containsBeanDefinition(SCHEDULING)) {
				registry.removeBeanDefinition(SCHEDULING);
			}
		};
	}

	/**
	 * Watches the clients that Spring creates for HTTP interfaces, which are not beans.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RestClientHttpServiceGroupConfigurer.class)
	static class HttpInterfaces {

		@Bean
		RestClientHttpServiceGroupConfigurer lateHolderHttpInterfaces(WatchedBeans watched) {
			HttpSteps steps = new HttpSteps(watched.steps());
			return (groups) -> groups.forEachClient((group, client) -> steps.watch(client));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(WebClientHttpServiceGroupConfigurer.class)
	static class ReactiveHttpInterfaces {

		@Bean
		WebClientHttpServiceGroupConfigurer lateHolderReactiveHttpInterfaces(WatchedBeans watched) {
			WebClientSteps steps = new WebClientSteps(watched.steps());
			return (groups) -> groups.forEachClient((group, client) -> steps.watch(client));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	static class ReactiveRequests {

		@Bean
		ServerWebExchangeContextFilter lateHolderRequests() {
			return new ServerWebExchangeContextFilter();
		}

	}

}

package dev.redlock.test.lateholder;

import dev.redlock.Redlock;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The beans of a test with {@link AutoConfigureLateHolder}.
 */
@Configuration(proxyBeanMethods = false)
class LateHolderConfiguration {

	private static final String SCHEDULING = "org.springframework.context.annotation.internalScheduledAnnotationProcessor";

	@Bean
	static WatchedBeans lateHolderWatchedBeans(ObjectProvider<Redlock> redlock) {
		return new WatchedBeans(new Steps(() -> redlock.stream().flatMap((lock) -> lock.leases().stream()).toList()));
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

}

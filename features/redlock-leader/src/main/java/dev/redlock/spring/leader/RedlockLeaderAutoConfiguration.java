package dev.redlock.spring.leader;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import dev.redlock.Redlock;
import dev.redlock.spi.Scheduler;
import dev.redlock.spring.autoconfigure.RedlockAnnotationAutoConfiguration;
import dev.redlock.spring.autoconfigure.RedlockThreads;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Auto-configuration of leader election: {@link LeaderOnly} and {@link LeaderTemplate}.
 */
@AutoConfiguration(after = RedlockAnnotationAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@EnableConfigurationProperties(RedlockLeaderProperties.class)
public final class RedlockLeaderAutoConfiguration {

	private static final String APPLICATION_TASK_EXECUTOR = "applicationTaskExecutor";

	/**
	 * Each application context needs its own {@link LeaderExtension}, because each
	 * context has its own advisor for {@code @RedLock}.
	 */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LeaderExtension redlockLeaderExtension(ObjectProvider<LeaderTemplate> leaders) {
		return new LeaderExtension(leaders);
	}

	/**
	 * With lazy initialization, a process is a candidate before the first call too.
	 */
	@Bean
	static LazyInitializationExcludeFilter redlockLeaderMethodsExcludeFilter() {
		return (name, definition,
				type) -> AnnotationUtils.isCandidateClass(type, LeaderOnly.class) && !MethodIntrospector
					.selectMethods(type,
							(MethodIntrospector.MetadataLookup<LeaderOnly>) (method) -> AnnotatedElementUtils
								.findMergedAnnotation(method, LeaderOnly.class))
					.isEmpty();
	}

	@Bean
	LeaderLifecycle redlockLeaderMethodsLifecycle(LeaderExtension methods) {
		return new LeaderLifecycle(methods::join, methods::leave);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnSingleCandidate(Redlock.class)
	@ConditionalOnMissingBean(LeaderTemplate.class)
	@Import(RedlockThreads.class)
	static class Roles {

		@Bean
		LeaderTemplate leaderTemplate(Redlock redlock, RedlockLeaderProperties properties, RedlockThreads threads,
				@Qualifier("redlockTimer") Scheduler timer, ApplicationEventPublisher events,
				@Qualifier("redlockEvents") ObjectProvider<Consumer<Object>> everywhere,
				@Qualifier(APPLICATION_TASK_EXECUTOR) ObjectProvider<Executor> executor) {
			return new LeaderTemplate(redlock, properties.ttl(), timer,
					(role) -> threads.inOrder("redlock-leader-" + role),
					everywhere.getIfAvailable(() -> events::publishEvent),
					executor.getIfAvailable(() -> new SimpleAsyncTaskExecutor("redlock-leader-async-")));
		}

		@Bean
		LeaderLifecycle redlockLeaderLifecycle(LeaderTemplate leaders) {
			return new LeaderLifecycle(leaders::start, leaders::stop);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnSingleCandidate(Redlock.class)
	static class Metrics {

		@Bean
		@ConditionalOnMissingBean(name = "redlockLeaderGauges")
		MeterBinder redlockLeaderGauges(LeaderTemplate leaders) {
			return (registry) -> leaders
				.watch((role) -> Gauge.builder("redlock.leader", role, (each) -> each.isLeader() ? 1 : 0)
					.description("1 while this process leads the role, otherwise 0")
					.tag("role", role.name())
					.register(registry));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
	@ConditionalOnSingleCandidate(Redlock.class)
	static class HealthOfRoles {

		/**
		 * The status is always UP, because it is no failure if this process does not
		 * lead.
		 */
		@Bean
		@ConditionalOnMissingBean(name = "redlockLeaderHealthContributor")
		@ConditionalOnEnabledHealthIndicator("redlockleader")
		HealthIndicator redlockLeaderHealthContributor(LeaderTemplate leaders) {
			return () -> Health.up().withDetail("roles", details(leaders.roles())).build();
		}

		private static Map<String, Map<String, Object>> details(Collection<LeaderRole> roles) {
			Map<String, Map<String, Object>> details = new TreeMap<>();
			for (LeaderRole role : roles) {
				Map<String, Object> ofRole = new LinkedHashMap<>();
				ofRole.put("leader", role.isLeader());
				role.term().ifPresent((term) -> ofRole.put("term", term));
				details.put(role.name(), ofRole);
			}
			return details;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
	@ConditionalOnSingleCandidate(Redlock.class)
	static class Operations {

		@Bean
		@ConditionalOnAvailableEndpoint
		RedlockLeaderEndpoint redlockLeaderEndpoint(LeaderTemplate leaders) {
			return new RedlockLeaderEndpoint(leaders);
		}

	}

}

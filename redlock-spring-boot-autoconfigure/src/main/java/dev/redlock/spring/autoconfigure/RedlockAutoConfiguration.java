package dev.redlock.spring.autoconfigure;

import java.security.SecureRandom;
import java.util.concurrent.Executor;

import dev.redlock.ListenerQueue;
import dev.redlock.Redlock;
import dev.redlock.RedlockListener;
import dev.redlock.RedlockSettings;
import dev.redlock.spi.NodeListener;
import dev.redlock.spring.redis.LockNodes;
import dev.redlock.spring.redis.SystemTicker;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.spring.template.RedLockTemplate;
import io.lettuce.core.RedisClient;
import io.lettuce.core.resource.ClientResources;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientConfigurationBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Auto-configuration of the lock over the configured Redis instances.
 */
@AutoConfiguration(after = { SslAutoConfiguration.class, TaskExecutionAutoConfiguration.class },
		afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnClass({ RedisClient.class, LettuceConnectionFactory.class })
@ConditionalOnBooleanProperty(name = "redlock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RedlockProperties.class)
public final class RedlockAutoConfiguration {

	private static final String APPLICATION_TASK_EXECUTOR = TaskExecutionAutoConfiguration.APPLICATION_TASK_EXECUTOR_BEAN_NAME;

	private static final String LISTENER_QUEUE = "redlockListenerQueue";

	RedlockAutoConfiguration() {
	}

	@Bean
	static MisspelledPropertyCheck redlockMisspelledPropertyCheck(ConfigurableEnvironment environment) {
		return new MisspelledPropertyCheck(environment);
	}

	@Bean
	@ConditionalOnMissingBean
	RedlockSettings redlockSettings(RedlockProperties properties, Environment environment) {
		return SettingsFactory.create(properties, environment);
	}

	@Bean
	RedlockThreads redlockThreads() {
		return new RedlockThreads();
	}

	@Bean(defaultCandidate = false)
	ListenerQueue redlockListenerQueue(RedlockThreads threads) {
		return new ListenerQueue(threads.listeners());
	}

	@Bean
	RedlockListeners redlockListeners(ObjectProvider<RedlockListener> leaseListeners,
			ObjectProvider<NodeListener> nodeListeners, ApplicationEventPublisher events,
			@Qualifier(LISTENER_QUEUE) ListenerQueue queue) {
		return new RedlockListeners(leaseListeners, nodeListeners, events, queue);
	}

	@Bean
	@ConditionalOnMissingBean({ LockNodes.class, Redlock.class })
	LockNodes redlockNodes(RedlockProperties properties, RedlockSettings settings, RedlockListeners listeners,
			@Qualifier(LISTENER_QUEUE) ListenerQueue listenerQueue, ListableBeanFactory beans,
			ObjectProvider<RedLockConnectionDetails> connectionDetails, ObjectProvider<ClientResources> clientResources,
			ObjectProvider<SslBundles> sslBundles, ObjectProvider<ClientTuning> tunings,
			ObjectProvider<RedlockClientCustomizer> customizers) {
		ClientFactory clients = new ClientFactory(sslBundles, tunings, customizers);
		return new NodesFactory(properties, settings, clients, beans, clientResources)
			.create(ConnectionDetailsSum.of(connectionDetails.orderedStream().toList()), listeners, listenerQueue);
	}

	/**
	 * Closed by its lifecycle in good order; closed by its destruction where the
	 * application does not get as far as that.
	 */
	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean
	Redlock redlock(LockNodes nodes, RedlockSettings settings, RedlockProperties properties, RedlockThreads threads,
			RedlockListeners listeners) {
		return Redlock.over(nodes.list())
			.settings(SettingsFactory.withClockStep(settings, properties))
			.ticker(new SystemTicker())
			.loop(nodes.loop())
			.random(new SecureRandom())
			.callbacks(threads.callbacks())
			.listener(listeners)
			.build();
	}

	/**
	 * Work that is started asynchronously runs where the application runs its own, so
	 * that it can never hold up those who are to be told of a loss.
	 */
	@Bean
	@ConditionalOnMissingBean(RedLockOperations.class)
	RedLockTemplate redLockTemplate(Redlock redlock, RedlockThreads threads,
			@Qualifier(APPLICATION_TASK_EXECUTOR) ObjectProvider<Executor> applicationExecutor) {
		return new RedLockTemplate(redlock, applicationExecutor.getIfAvailable(threads::functions));
	}

	/**
	 * Not where the lock is that of a parent context, which goes on without this one.
	 */
	@Bean
	@ConditionalOnBean(value = Redlock.class, search = SearchStrategy.CURRENT)
	RedlockLifecycle redlockLifecycle(Redlock redlock) {
		return new RedlockLifecycle(redlock);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(LettuceClientConfigurationBuilderCustomizer.class)
	static class BootCustomizersConfiguration {

		@Bean
		BootClientTuning redlockBootClientTuning(ObjectProvider<LettuceClientOptionsBuilderCustomizer> options,
				ObjectProvider<LettuceClientConfigurationBuilderCustomizer> configurations) {
			return new BootClientTuning(options, configurations);
		}

	}

}

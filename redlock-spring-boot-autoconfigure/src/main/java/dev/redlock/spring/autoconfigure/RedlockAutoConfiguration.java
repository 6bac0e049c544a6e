package dev.redlock.spring.autoconfigure;

import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.spring.autoconfigure.internal.listeners.ListenerQueue;
import dev.redlock.spring.autoconfigure.internal.listeners.RedlockEvents;
import dev.redlock.spring.autoconfigure.internal.settings.RedlockInstance;
import dev.redlock.spring.autoconfigure.internal.settings.RedlockProperties;
import dev.redlock.spring.autoconfigure.internal.settings.RedlockPropertiesCheck;
import dev.redlock.spring.autoconfigure.internal.settings.SettingsFactory;
import dev.redlock.spring.lock.RedlockLocks;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.spring.template.RedLockTemplate;
import io.lettuce.core.RedisClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Role;
import org.springframework.core.convert.converter.Converter;
import org.springframework.core.env.Environment;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.CompositeTaskDecorator;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Auto-configuration of distributed locks on the configured Redis instances.
 */
@AutoConfiguration(after = { SslAutoConfiguration.class, TaskExecutionAutoConfiguration.class },
		afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnClass({ RedisClient.class, LettuceConnectionFactory.class })
@EnableConfigurationProperties(RedlockProperties.class)
@Import({ RedlockThreads.class, RedlockNodesConfiguration.class })
@ImportRuntimeHints(RedlockPropertiesCheck.Names.class)
public final class RedlockAutoConfiguration {

	private static final String APPLICATION_TASK_EXECUTOR = TaskExecutionAutoConfiguration.APPLICATION_TASK_EXECUTOR_BEAN_NAME;

	private static final Logger logger = LoggerFactory.getLogger(RedlockAutoConfiguration.class);

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static ConfigurationPropertiesBindHandlerAdvisor redlockPropertiesCheck() {
		return RedlockPropertiesCheck::new;
	}

	@Bean
	@ConfigurationPropertiesBinding
	static Converter<String, RedlockInstance> redlockInstanceUrlConverter() {
		return RedlockInstance::ofUrl;
	}

	@Bean
	@ConditionalOnMissingBean
	RedlockSettings redlockSettings(RedlockProperties properties, Environment environment) {
		return SettingsFactory.create(properties, environment);
	}

	@Bean(defaultCandidate = false)
	RedlockEvents redlockEvents(ApplicationContext context) {
		return new RedlockEvents(context);
	}

	@Bean
	RedlockListeners redlockListeners(ListableBeanFactory beans, @Qualifier("redlockEvents") RedlockEvents events,
			RedlockThreads threads) {
		return new RedlockListeners(beans, events, new ListenerQueue(threads.inOrder("redlock-listener")));
	}

	@Bean(defaultCandidate = false)
	LongSupplier redlockDroppedNotifications(RedlockListeners listeners) {
		return listeners.queue()::dropped;
	}

	/**
	 * The bean has a long name, because applications may name beans {@code redlock}.
	 */
	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean
	Redlock autoConfiguredRedlock(LockNodes nodes, RedlockSettings settings, RedlockProperties properties,
			RedlockThreads threads, RedlockListeners listeners) {
		return Redlock.over(nodes.list())
			.settings(SettingsFactory.withClockStep(settings, properties))
			.loop(nodes.loop())
			.callbacks(threads.callbacks())
			.listener(listeners)
			.connections(() -> RedlockNodesConfiguration.startAndCheck(nodes), nodes::stop)
			.build();
	}

	/**
	 * Functions passed to {@code executeAsync} run on the application's executor, so that
	 * they never delay the threads that report lost locks. The executor itself decorates
	 * them on a thread of the lock, which is too late for the context of the caller.
	 */
	@Bean
	@ConditionalOnMissingBean(RedLockOperations.class)
	@ConditionalOnSingleCandidate(Redlock.class)
	RedLockTemplate redLockTemplate(Redlock redlock, RedlockThreads threads, RedlockProperties properties,
			@Qualifier(APPLICATION_TASK_EXECUTOR) ObjectProvider<Executor> applicationExecutor,
			ObjectProvider<TaskDecorator> decorators) {
		Executor executor = applicationExecutor.getIfAvailable(threads::functions);
		if (properties.enabled()) {
			return new RedLockTemplate(redlock, executor,
					new CompositeTaskDecorator(decorators.orderedStream().toList()));
		}
		logger.warn("Locks are turned off by redlock.enabled=false: methods with @RedLock run without a lock. "
				+ "The fence of a call is the time of the call, so a write is refused only if a later call has already "
				+ "written the same row");
		return RedLockTemplate.withoutLocksOn(executor);
	}

	/**
	 * The settings of a Redlock bean of the application replace the configured settings.
	 */
	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(RedLockOperations.class)
	RedlockLocks redlockLocks(RedLockOperations operations, RedlockSettings settings, ObjectProvider<Redlock> locks) {
		Redlock only = locks.getIfUnique();
		return new RedlockLocks(operations, (only != null) ? only.settings() : settings);
	}

	/**
	 * Opens and closes only locks of this application context, because the parent context
	 * uses its locks longer.
	 */
	@Bean
	@ConditionalOnBean(value = Redlock.class, search = SearchStrategy.CURRENT)
	RedlockLifecycle redlockLifecycle(ConfigurableApplicationContext context) {
		return new RedlockLifecycle(context);
	}

}

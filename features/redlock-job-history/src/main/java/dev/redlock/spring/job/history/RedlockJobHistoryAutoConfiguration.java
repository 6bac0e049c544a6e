package dev.redlock.spring.job.history;

import java.time.Clock;

import javax.sql.DataSource;

import dev.redlock.Redlock;
import dev.redlock.spi.Scheduler;
import dev.redlock.spring.autoconfigure.RedlockAnnotationAutoConfiguration;
import dev.redlock.spring.autoconfigure.RedlockThreads;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Auto-configuration of the history of jobs, which is off by default. Startup fails if
 * the history is turned on and the table {@code redlock_job} cannot be written.
 */
@AutoConfiguration(after = RedlockAnnotationAutoConfiguration.class,
		afterName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@EnableConfigurationProperties(RedlockJobHistoryProperties.class)
public final class RedlockJobHistoryAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnSingleCandidate(Redlock.class)
	@ConditionalOnBooleanProperty(name = "redlock.jobs.history.enabled")
	@Import({ RedlockThreads.class, DatabaseInitializationDependencyConfigurer.class })
	@ImportRuntimeHints(Scripts.class)
	static class History {

		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnSingleCandidate(DataSource.class)
		JobHistoryInitializer redlockJobHistoryInitializer(DataSource dataSource,
				RedlockJobHistoryProperties properties) {
			return new JobHistoryInitializer(dataSource, properties);
		}

		@Bean
		@ConditionalOnMissingBean
		@DependsOnDatabaseInitialization
		JobHistory redlockJobHistory(Redlock redlock, ObjectProvider<DataSource> dataSources,
				RedlockJobHistoryProperties properties, RedlockThreads threads,
				@Qualifier("redlockTimer") Scheduler timer) {
			DataSource dataSource = dataSources.getIfUnique();
			if (dataSource == null) {
				throw JobHistoryUnusableException.noSingleDataSource(dataSources.stream().findAny().isPresent());
			}
			return new JobHistory(dataSource, () -> redlock.settings().owner(), properties.retention(),
					Clock.systemUTC(), threads.inOrder("redlock-jobs"), timer);
		}

		@Bean
		MissedTicks redlockMissedTicks(Redlock redlock, JobHistory history, ApplicationContext context) {
			return new MissedTicks(redlock, history, context);
		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass(MeterRegistry.class)
		static class Metrics {

			@Bean
			@ConditionalOnMissingBean(name = "redlockJobHistoryMetrics")
			MeterBinder redlockJobHistoryMetrics(JobHistory history) {
				return (registry) -> FunctionCounter
					.builder("redlock.job.history.failed", history, JobHistory::failures)
					.description("Rows of the history of jobs that could not be written")
					.register(registry);
			}

		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
		static class Operations {

			@Bean
			@ConditionalOnAvailableEndpoint
			RedlockJobsEndpoint redlockJobsEndpoint(JobHistory history) {
				return new RedlockJobsEndpoint(history);
			}

		}

	}

	static class Scripts implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.resources().registerPattern(JobHistoryInitializer.SCHEMA.replace("@@platform@@", "*"));
		}

	}

}

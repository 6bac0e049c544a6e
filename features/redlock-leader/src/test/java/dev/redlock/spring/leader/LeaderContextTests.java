package dev.redlock.spring.leader;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.autoconfigure.RedlockAnnotationAutoConfiguration;
import dev.redlock.spring.autoconfigure.RedlockAutoConfiguration;
import dev.redlock.spring.autoconfigure.RedlockReactiveAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class LeaderContextTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class, TaskExecutionAutoConfiguration.class,
				RedlockAutoConfiguration.class, RedlockReactiveAutoConfiguration.class,
				RedlockAnnotationAutoConfiguration.class, RedlockLeaderAutoConfiguration.class));

	@Test
	void twoLocksAndAMeterRegistryStart() {
		LockWorld one = new LockWorld();
		LockWorld two = new LockWorld();
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("one", Redlock.class, () -> one.redlock)
			.withBean("two", Redlock.class, () -> two.redlock)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void theGaugeIsThereWithLazyInitialization() {
		this.runner.withPropertyValues("redlock.enabled=false")
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				context.getBean(LeaderTemplate.class).role("importer");
				assertThat(context.getBean(MeterRegistry.class).find("redlock.leader").gauge()).isNotNull();
			});
	}

}

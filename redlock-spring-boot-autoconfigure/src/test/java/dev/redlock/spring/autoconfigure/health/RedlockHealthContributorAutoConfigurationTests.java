package dev.redlock.spring.autoconfigure.health;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.autoconfigure.RedlockAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.health.registry.ReactiveHealthContributorRegistry;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

class RedlockHealthContributorAutoConfigurationTests {

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner withoutLock = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RedlockHealthContributorAutoConfiguration.class,
				HealthContributorAutoConfiguration.class, HealthContributorRegistryAutoConfiguration.class));

	private final ApplicationContextRunner runner = this.withoutLock.withBean(Redlock.class, () -> this.world.redlock,
			(definition) -> definition.setDestroyMethodName(""));

	@Test
	void theContributorIsNamedRedlockAndServesReactiveApplicationsToo() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(RedlockHealthIndicator.class);
			assertThat(context.getBean(HealthContributorRegistry.class).getContributor("redlock"))
				.isInstanceOf(RedlockHealthIndicator.class);
			assertThat(context.getBean(ReactiveHealthContributorRegistry.class)).isNotNull();
		});
	}

	@Test
	void itSaysThatLocksAreTurnedOff() {
		this.withoutLock.withConfiguration(AutoConfigurations.of(RedlockAutoConfiguration.class))
			.withPropertyValues("redlock.enabled=false")
			.run((context) -> assertThat(context.getBean(RedlockHealthIndicator.class).health().getDetails())
				.containsEntry("locks", "in the memory of this process only, as with redlock.enabled=false"));
	}

	@Test
	void anApplicationsOwnContributorOfThatNameWins() {
		this.runner
			.withBean("redlockHealthContributor", HealthIndicator.class,
					() -> () -> Health.status(Status.OUT_OF_SERVICE).build())
			.run((context) -> assertThat(context).hasBean("redlockHealthContributor")
				.doesNotHaveBean(RedlockHealthIndicator.class));
	}

	@Test
	void thereIsNoneWithoutALock() {
		this.withoutLock.run((context) -> assertThat(context).doesNotHaveBean(RedlockHealthIndicator.class));
	}

	@Test
	void thereIsNoneWithoutTheHealthModule() {
		// Imported as in an application: a class with conditions that are not there
		// cannot
		// be registered by itself.
		new ApplicationContextRunner().withUserConfiguration(Imports.class)
			.withBean(Redlock.class, () -> this.world.redlock, (definition) -> definition.setDestroyMethodName(""))
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(RedlockHealthContributorAutoConfiguration.class));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(RedlockHealthContributorAutoConfiguration.class)
	static class Imports {

	}

}

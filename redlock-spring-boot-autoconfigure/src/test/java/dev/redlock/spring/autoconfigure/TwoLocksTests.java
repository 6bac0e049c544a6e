package dev.redlock.spring.autoconfigure;

import java.time.Duration;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.autoconfigure.endpoint.RedlockEndpointAutoConfiguration;
import dev.redlock.spring.autoconfigure.health.RedlockHealthContributorAutoConfiguration;
import dev.redlock.spring.autoconfigure.observation.RedlockObservationAutoConfiguration;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.spring.template.RedLockTemplate;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with two locks of its own.
 */
class TwoLocksTests {

	private final LockWorld one = new LockWorld();

	private final LockWorld two = new LockWorld();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RedlockAutoConfiguration.class, RedlockAnnotationAutoConfiguration.class,
						RedlockReactiveAutoConfiguration.class, RedlockHealthContributorAutoConfiguration.class,
						RedlockEndpointAutoConfiguration.class, RedlockObservationAutoConfiguration.class))
		.withPropertyValues("management.endpoints.web.exposure.include=*")
		.withBean(SimpleMeterRegistry.class)
		.withBean(ObservationRegistry.class, ObservationRegistry::create)
		.withBean("one", Redlock.class, () -> this.one.redlock);

	private final ApplicationContextRunner equal = this.runner.withBean("two", Redlock.class, () -> this.two.redlock);

	@Test
	void withoutAPrimaryOneItStartsWithoutATemplate() {
		this.equal.run((context) -> {
			assertThat(context).hasNotFailed();
			context.publishEvent(
					new ApplicationReadyEvent(new SpringApplication(), new String[0], context, Duration.ZERO));
			assertThat(context).doesNotHaveBean(RedLockTemplate.class)
				.doesNotHaveBean(ReactiveRedLockTemplate.class)
				.doesNotHaveBean("redlockHealthContributor")
				.doesNotHaveBean("redlockEndpoint")
				.doesNotHaveBean("redlockGauges");
		});
	}

	@Test
	void aTemplateOfTheApplicationServesTheAnnotation() {
		this.equal.withBean(RedLockOperations.class, () -> new RedLockTemplate(this.two.redlock, Runnable::run))
			.withBean(Shop.class, () -> new Shop(this.two))
			.run((context) -> assertThat(context.getBean(Shop.class).sells()).isTrue());
	}

	@Test
	void bothStopAndStartWithTheContext() {
		this.equal.run((context) -> {
			context.stop();
			assertThat(context.getBeansOfType(Redlock.class).values()).hasSize(2).allMatch(Redlock::isClosed);
			context.start();
			assertThat(context.getBeansOfType(Redlock.class).values()).noneMatch(Redlock::isClosed);
		});
	}

	@Test
	void thePrimaryOneIsUsed() {
		this.runner.withBean("two", Redlock.class, () -> this.two.redlock, (definition) -> definition.setPrimary(true))
			.withBean(Shop.class, () -> new Shop(this.two))
			.run((context) -> {
				assertThat(context).hasSingleBean(RedLockTemplate.class)
					.hasSingleBean(ReactiveRedLockTemplate.class)
					.hasBean("redlockHealthContributor")
					.hasBean("redlockEndpoint")
					.hasBean("redlockGauges");
				assertThat(context.getBean(Shop.class).sells()).isTrue();
			});
	}

	static class Shop {

		private final LockWorld world;

		Shop(LockWorld world) {
			this.world = world;
		}

		@RedLock("stock")
		public boolean sells() {
			return this.world.isHeld("stock");
		}

	}

}

package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.Map;

import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.RedlockListener;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.autoconfigure.endpoint.RedlockEndpointAutoConfiguration;
import dev.redlock.spring.autoconfigure.health.RedlockHealthContributorAutoConfiguration;
import dev.redlock.spring.autoconfigure.observation.RedlockObservationAutoConfiguration;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockTemplate;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.diagnostics.FailureAnalysis;
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
	void aLockedMethodThatCouldUseEitherIsExplained() {
		this.equal.withBean(Shop.class, () -> new Shop(this.two)).run((context) -> {
			FailureAnalysis analysis = new RedlockFailureAnalyzer(null).analyze(context.getStartupFailure());
			assertThat(analysis).as("without the beans").isNull();
			analysis = new RedlockFailureAnalyzer(beans()).analyze(context.getStartupFailure());
			assertThat(analysis.getDescription())
				.contains("There is no RedLockOperations because there are 2 Redlock beans", "none of them is primary");
			assertThat(analysis.getAction()).contains("@Primary");
		});
	}

	@Test
	void listenersHearBoth() {
		HeardRequests heard = new HeardRequests();
		this.equal.withBean(RedlockListener.class, () -> heard).run((context) -> {
			this.one.redlock.attemptAndWait(LockRequest.of("first"));
			this.two.redlock.attemptAndWait(LockRequest.of("second"));
			assertThat(heard.names).containsExactly("first", "second");
		});
	}

	private StaticListableBeanFactory beans() {
		return new StaticListableBeanFactory(Map.of("one", this.one.redlock, "two", this.two.redlock));
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

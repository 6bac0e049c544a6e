package dev.redlock.spring.autoconfigure.observation;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.RedlockListener;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.lettuce.RedisProcess;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;
import dev.redlock.spring.autoconfigure.RedlockAutoConfiguration;
import dev.redlock.spring.observation.AcquireObservationContext;
import dev.redlock.spring.observation.AcquireObservationConvention;
import dev.redlock.spring.template.RedLockOperations;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class RedlockObservationAutoConfigurationTests {

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner ours = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RedlockObservationAutoConfiguration.class));

	private final ApplicationContextRunner withoutLock = this.ours
		.withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class, MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class));

	private final ApplicationContextRunner runner = lock(this.withoutLock);

	@Test
	void aRealLockIsMeteredFromTheFirstRequestOn() {
		try (RedisProcess redis = RedisProcess.start()) {
			this.withoutLock.withConfiguration(AutoConfigurations.of(RedlockAutoConfiguration.class))
				.withPropertyValues("redlock.restart-guard.enabled=false",
						"redlock.instances.a.url=redis://127.0.0.1:" + redis.port())
				.run((context) -> {
					context.getBean(RedLockOperations.class).execute("stock", null, (lease) -> "done");
					MeterRegistry meters = context.getBean(MeterRegistry.class);
					assertThat(meters.get("redlock.acquire")
						.tags("method", "template", "outcome", "acquired", "error", "none")
						.timer()
						.count()).isOne();
					assertThat(meters.get("redlock.hold").tag("outcome", "released").timer().count()).isOne();
					assertThat(meters.get("redlock.margin").gauge().value()).isZero();
				});
		}
	}

	@Test
	void eachReaderSeesTheLongestLagOfTheLoop() {
		LockNodes nodes = LockNodes.of(List.of(new InMemoryNode("a", new ManualTime())));
		this.withoutLock.withConfiguration(AutoConfigurations.of(RedlockAutoConfiguration.class))
			.withBean(LockNodes.class, () -> nodes)
			.run((context) -> {
				CountDownLatch timer = new CountDownLatch(1);
				nodes.loop().schedule(Duration.ZERO, timer::countDown);
				assertThat(timer.await(10, TimeUnit.SECONDS)).isTrue();
				TimeGauge lag = context.getBean(MeterRegistry.class).get("redlock.loop.lag").timeGauge();
				double first = lag.value();
				assertThat(first).isPositive();
				assertThat(lag.value()).isEqualTo(first);
			});
	}

	@Test
	void aConventionOfTheApplicationIsUsed() {
		this.runner.withBean(AcquireObservationConvention.class, OwnConvention::new)
			.run((context) -> assertThat(timers(context)).contains("shop.lock", "redlock.hold")
				.doesNotContain("redlock.acquire"));
	}

	@Test
	void thereAreNoneWithoutALock() {
		this.withoutLock.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RedlockListener.class));
	}

	@Test
	void thereAreNoneWithoutMicrometer() {
		lock(this.ours).withClassLoader(new FilteredClassLoader("io.micrometer"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RedlockListener.class));
	}

	@Test
	void spansAreMadeWithoutMetersToo() {
		lock(this.ours.withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class)))
			.run((context) -> assertThat(context).hasSingleBean(ObservedLocks.class)
				.doesNotHaveBean(MeteredLocks.class));
	}

	/**
	 * The names of the timers that there are behind a lock that was observed.
	 */
	private List<String> timers(ApplicationContext context) {
		Redlock observed = this.world.listened(context.getBean(ObservedLocks.class));
		observed.attemptAndWait(this.world.now("stock:42")).orThrow().close();
		return context.getBean(MeterRegistry.class)
			.getMeters()
			.stream()
			.filter(Timer.class::isInstance)
			.map((timer) -> timer.getId().getName())
			.toList();
	}

	private ApplicationContextRunner lock(ApplicationContextRunner contexts) {
		return contexts.withBean(Redlock.class, () -> this.world.redlock,
				(definition) -> definition.setDestroyMethodName(""));
	}

	static final class OwnConvention implements AcquireObservationConvention {

		@Override
		public String getName() {
			return "shop.lock";
		}

		@Override
		public KeyValues getLowCardinalityKeyValues(AcquireObservationContext context) {
			return KeyValues.empty();
		}

	}

}

package dev.redlock.spring.leader;

import java.time.Duration;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spi.Scheduler;
import dev.redlock.spring.autoconfigure.RedlockAutoConfiguration;
import dev.redlock.spring.autoconfigure.observation.RedlockObservationAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that waits for days until it leads.
 */
class FollowerMetersTests {

	private final LockWorld world = new LockWorld();

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final ApplicationContextRunner follower = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class, RedlockAutoConfiguration.class,
				RedlockObservationAutoConfiguration.class, RedlockLeaderAutoConfiguration.class))
		.withBean(Redlock.class, () -> this.world.other, (definition) -> definition.setDestroyMethodName(""))
		.withBean("redlockTimer", Scheduler.class, () -> this.world.time)
		.withBean(MeterRegistry.class, () -> this.meters)
		.withBean(ObservationRegistry.class, this::observations);

	@Test
	void aFollowerIsNoWaiterAndItsWaitIsNotMeasured() {
		Candidate leader = new Candidate(this.world, this.world.redlock);
		leader.leaders.start();
		this.follower.run((context) -> {
			LeaderTemplate leaders = context.getBean(LeaderTemplate.class);
			leaders.join("importer");
			this.world.time.advance(Duration.ofHours(1));
			assertThat(this.meters.get("redlock.waiters").gauge().value()).isZero();
			assertThat(this.meters.find("redlock.acquire.active").longTaskTimers())
				.allSatisfy((timer) -> assertThat(timer.activeTasks()).isZero());
			leader.leaders.stop();
			this.world.time.advance(Duration.ofSeconds(1));
			assertThat(leaders.role("importer").isLeader()).isTrue();
			assertThat(this.meters.find("redlock.acquire").timer()).isNull();
			assertThat(this.meters.get("redlock.hold.active").longTaskTimer().activeTasks()).isOne();
		});
	}

	private ObservationRegistry observations() {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(this.meters));
		return registry;
	}

}

package dev.redlock.spring.shedlock;

import java.time.Duration;
import java.util.Optional;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spi.Scheduler;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RedlockShedLockAutoConfigurationTests {

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RedlockShedLockAutoConfiguration.class));

	private final ApplicationContextRunner withLock = this.runner.withBean(Redlock.class, () -> this.world.redlock,
			(definition) -> definition.setDestroyMethodName(""));

	@Test
	void theProviderIsThereAndLocks() {
		this.withLock.run((context) -> {
			assertThat(context.getBean(LockProvider.class)
				.lock(new LockConfiguration(ClockProvider.now(), "task", Duration.ofMinutes(1), Duration.ZERO)))
				.isPresent();
			assertThat(this.world.isHeld("task")).isTrue();
		});
	}

	@Test
	void theProviderSharesTheTimerOfTheOtherFeatures() {
		this.withLock.withBean("redlockTimer", Scheduler.class, () -> this.world.time).run((context) -> {
			assertThat(context).doesNotHaveBean(LeaseTimers.class);
			assertThat(context.getBean(RedlockLockProvider.class).timers()).isSameAs(this.world.time);
		});
	}

	@Test
	void theProviderOfTheApplicationIsKept() {
		this.withLock.withBean(LockProvider.class, () -> (configuration) -> Optional.empty())
			.run((context) -> assertThat(context).hasSingleBean(LockProvider.class)
				.doesNotHaveBean(RedlockLockProvider.class));
	}

	@Test
	void itCanBeTurnedOff() {
		this.withLock.withPropertyValues("redlock.shedlock.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(LockProvider.class));
	}

	@Test
	void theProviderIsThereWhereLocksAreTurnedOff() {
		this.withLock.withPropertyValues("redlock.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(RedlockLockProvider.class));
	}

	@Test
	void thereIsNothingWhereTheLockIsMissing() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LockProvider.class));
	}

}

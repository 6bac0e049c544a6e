package dev.redlock.spring.integration;

import dev.redlock.LockWorld;
import dev.redlock.RedlockSettings;
import dev.redlock.spring.lock.RedlockLocks;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

import static org.assertj.core.api.Assertions.assertThat;

class RedlockLockRegistryAutoConfigurationTests {

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RedlockLockRegistryAutoConfiguration.class));

	private final ApplicationContextRunner withLock = this.runner.withBean(RedlockLocks.class,
			() -> new RedlockLocks(new RedLockTemplate(this.world.redlock, Runnable::run), RedlockSettings.DEFAULTS));

	@Test
	void theRegistryIsThereAndLocks() {
		this.withLock.run((context) -> {
			context.getBean(LockRegistry.class).obtain("registry").lock();
			assertThat(this.world.isHeld("registry")).isTrue();
		});
	}

	@Test
	void theRegistryLocksAgainAfterTheLockWasClosedAndOpened() {
		this.withLock.run((context) -> {
			LockRegistry<?> registry = context.getBean(LockRegistry.class);
			this.world.redlock.close();
			this.world.redlock.open();
			registry.obtain("registry").lock();
			assertThat(this.world.isHeld("registry")).isTrue();
			registry.obtain("registry").unlock();
			assertThat(this.world.isHeld("registry")).isFalse();
		});
	}

	@Test
	void whatTheApplicationHasIsKept() {
		this.withLock.withBean(LockRegistry.class, DefaultLockRegistry::new)
			.run((context) -> assertThat(context).hasSingleBean(LockRegistry.class)
				.doesNotHaveBean(RedlockLockRegistry.class));
	}

	@Test
	void theRegistryCanBeTurnedOff() {
		this.withLock.withPropertyValues("redlock.lock-registry.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(LockRegistry.class));
	}

	@Test
	void theRegistryIsThereWhereLocksAreTurnedOff() {
		this.withLock.withPropertyValues("redlock.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(RedlockLockRegistry.class));
	}

}

package dev.redlock.spring.integration;

import java.time.Duration;
import java.util.concurrent.locks.Lock;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.spring.autoconfigure.RedlockAutoConfiguration;
import dev.redlock.spring.lock.RedlockLock;
import dev.redlock.spring.lock.RedlockLocks;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.integration.support.locks.LockRegistry;

import static org.assertj.core.api.Assertions.assertThat;

class OwnSettingsTests {

	private final LockWorld world = new LockWorld(
			RedlockSettings.builder().ttl(Duration.ofSeconds(5)).maxTtl(Duration.ofSeconds(10)).build());

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class, RedlockAutoConfiguration.class,
				RedlockLockRegistryAutoConfiguration.class))
		.withBean(Redlock.class, () -> this.world.redlock);

	@Test
	void aLockOfTheApplicationsOwnRedlockCanBeLockedAgain() {
		this.runner.run((context) -> {
			Lock lock = context.getBean(LockRegistry.class).obtain("orders");
			assertThat(lock.tryLock()).isTrue();
			assertThat(lock.tryLock()).isTrue();
			lock.unlock();
			lock.unlock();
		});
	}

	@Test
	void theSameForALockOfTheJdk() {
		this.runner.run((context) -> {
			RedlockLock lock = context.getBean(RedlockLocks.class).get("orders");
			lock.lock();
			Duration first = lock.lease().orElseThrow().remaining();
			lock.lock();
			assertThat(lock.lease().orElseThrow().remaining()).isLessThanOrEqualTo(first);
			lock.unlock();
			lock.unlock();
		});
	}

}

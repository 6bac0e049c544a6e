package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.Optional;

import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.spring.integration.RedlockLockProvider;
import dev.redlock.spring.integration.RedlockLockRegistry;
import dev.redlock.spring.integration.RedlockLocks;
import dev.redlock.spring.template.LockWorld;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.spring.template.RedLockTemplate;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

import static org.assertj.core.api.Assertions.assertThat;

class RedlockIntegrationAutoConfigurationTests {

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RedlockIntegrationAutoConfiguration.class));

	private final ApplicationContextRunner withLock = this.runner
		.withBean(Redlock.class, () -> this.world.redlock, (definition) -> definition.setDestroyMethodName(""))
		.withBean(RedlockSettings.class, () -> RedlockSettings.DEFAULTS)
		.withBean(RedlockThreads.class)
		.withBean(RedLockOperations.class, () -> new RedLockTemplate(this.world.redlock, Runnable::run));

	@Test
	void isListed() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, null))
			.contains(RedlockIntegrationAutoConfiguration.class.getName());
	}

	@Test
	void whatLibrariesNeedIsThereAndLocks() {
		this.withLock.run((context) -> {
			context.getBean(RedlockLocks.class).get("jdk").lock();
			assertThat(this.world.isHeld("jdk")).isTrue();
			context.getBean(LockRegistry.class).obtain("registry").lock();
			assertThat(this.world.isHeld("registry")).isTrue();
			assertThat(context.getBean(LockProvider.class)
				.lock(new LockConfiguration(ClockProvider.now(), "task", Duration.ofMinutes(1), Duration.ZERO)))
				.isPresent();
			assertThat(this.world.isHeld("task")).isTrue();
		});
	}

	@Test
	void whatTheApplicationHasIsKept() {
		RedlockLocks locks = new RedlockLocks(new RedLockTemplate(this.world.redlock, Runnable::run),
				RedlockSettings.DEFAULTS);
		this.withLock.withBean(LockRegistry.class, DefaultLockRegistry::new)
			.withBean(LockProvider.class, () -> (configuration) -> Optional.empty())
			.withBean(RedlockLocks.class, () -> locks)
			.run((context) -> {
				assertThat(context).hasSingleBean(LockRegistry.class).doesNotHaveBean(RedlockLockRegistry.class);
				assertThat(context).hasSingleBean(LockProvider.class).doesNotHaveBean(RedlockLockProvider.class);
				assertThat(context.getBean(RedlockLocks.class)).isSameAs(locks);
			});
	}

	@Test
	void eachCanBeTurnedOff() {
		this.withLock.withPropertyValues("redlock.lock-registry.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(LockRegistry.class)
				.hasSingleBean(LockProvider.class));
		this.withLock.withPropertyValues("redlock.shedlock.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(LockRegistry.class)
				.doesNotHaveBean(LockProvider.class));
	}

	@Test
	void withoutSpringIntegrationThereIsNoRegistry() {
		this.withLock.withClassLoader(new FilteredClassLoader("org.springframework.integration"))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean("redlockLockRegistry")
				.hasSingleBean(LockProvider.class)
				.hasSingleBean(RedlockLocks.class));
	}

	@Test
	void withoutShedLockThereIsNoProvider() {
		this.withLock.withClassLoader(new FilteredClassLoader("net.javacrumbs"))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean("redlockLockProvider")
				.hasSingleBean(LockRegistry.class)
				.hasSingleBean(RedlockLocks.class));
	}

	@Test
	void thereIsNothingWhereTheLockIsDisabledOrMissing() {
		this.withLock.withPropertyValues("redlock.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(RedlockLocks.class)
				.doesNotHaveBean(LockProvider.class));
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RedlockLocks.class));
	}

}

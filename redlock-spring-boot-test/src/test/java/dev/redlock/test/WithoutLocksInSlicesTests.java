package dev.redlock.test;

import dev.redlock.CurrentLease;
import dev.redlock.LockRequest;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.RedLockOperations;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A slice turns all auto-configuration off, as {@code @DataJpaTest} does.
 */
@SpringBootTest
@OverrideAutoConfiguration(enabled = false)
@WithoutLocks
class WithoutLocksInSlicesTests {

	@Test
	void aLockedMethodRunsUnderItsLock(@Autowired Fences fences) {
		assertThat(fences.first()).isPositive();
	}

	@Test
	void aTestTakesTheLockThatAWriteNeeds(@Autowired RedLockOperations locks) {
		boolean held = locks.execute(LockRequest.of("order:1"), (lease) -> CurrentLease.require("order:1").isValid());
		assertThat(held).isTrue();
	}

	static class Fences {

		@RedLock("order:1")
		public long first() {
			return CurrentLease.require("order:1").fence();
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@Import(Fences.class)
	static class Application {

	}

}

package dev.redlock.it.migration;

import dev.redlock.Redlock;
import dev.redlock.spring.integration.RedlockLockProvider;
import dev.redlock.spring.redis.ThreadScheduler;
import net.javacrumbs.shedlock.core.LockProvider;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

// region: migration-shedlock-in-between
@Configuration(proxyBeanMethods = false)
class ReleaseInBetween {

	@Bean
	ThreadScheduler lockTimers() {
		return new ThreadScheduler("lock-timers");
	}

	@Bean
	LockProvider lockProvider(Redlock redlock, ThreadScheduler lockTimers) {
		return new BothProviders(formerProvider(), new RedlockLockProvider(redlock, lockTimers));
	}

	LockProvider formerProvider() {
		return new OneProcess(); // what the application had so far
	}

}
// endregion

package dev.redlock.it.migration;

import dev.redlock.Redlock;
import dev.redlock.spring.integration.RedlockLockProvider;
import dev.redlock.spring.redis.NettyLoop;
import net.javacrumbs.shedlock.core.LockProvider;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

// region: migration-shedlock-in-between
@Configuration(proxyBeanMethods = false)
class ReleaseInBetween {

	@Bean
	NettyLoop lockLoop() {
		return new NettyLoop("lock-loop");
	}

	@Bean
	LockProvider lockProvider(Redlock redlock, NettyLoop lockLoop) {
		return new BothProviders(formerProvider(), new RedlockLockProvider(redlock, lockLoop));
	}

	LockProvider formerProvider() {
		return new OneProcess(); // what the application had so far
	}

}
// endregion

package dev.redlock.it.migration;

import dev.redlock.Redlock;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.spring.shedlock.ChangeOverLockProvider;
import dev.redlock.spring.shedlock.RedlockLockProvider;
import net.javacrumbs.shedlock.core.LockProvider;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ReleaseInBetween {

	@Bean
	LockProvider lockProvider(Redlock redlock, LockNodes nodes) {
		return new ChangeOverLockProvider(formerProvider(), new RedlockLockProvider(redlock, nodes.loop()));
	}

	LockProvider formerProvider() {
		return new OneProcess(); // what the application had so far
	}

}

package dev.redlock.it.migration;

import java.time.Duration;

import dev.redlock.LockRequest;
import dev.redlock.spring.integration.RedlockLockRegistry;
import dev.redlock.spring.lock.RedlockLocks;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * What used to be done with a registry of Spring Integration.
 */
@Configuration(proxyBeanMethods = false)
class LeaderConfiguration {

	@Bean
	RedlockLockRegistry lockRegistry(RedlockLocks locks) {
		return new RedlockLockRegistry(locks, (key) -> LockRequest.of("orders:" + key).withTtl(Duration.ofSeconds(10)));
	}

	@Bean
	LockRegistryLeaderInitiator leader(LockRegistry<?> registry) {
		return new LockRegistryLeaderInitiator(registry, new DefaultCandidate("this instance", "importer"));
	}

}

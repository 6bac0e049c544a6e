package dev.redlock.docs.snippets;

import java.util.concurrent.Executor;

import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.spring.template.RedLockTemplate;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class SecondQuorum {

	@Bean(defaultCandidate = false)
	Redlock batchLock(@Qualifier("batchNodes") LockNodes nodes, RedlockSettings settings,
			@Qualifier("applicationTaskExecutor") Executor callbacks) {
		return Redlock.over(nodes.list()).settings(settings).loop(nodes.loop()).callbacks(callbacks).build();
	}

	@Bean(defaultCandidate = false)
	RedLockTemplate batchTemplate(@Qualifier("batchLock") Redlock lock,
			@Qualifier("applicationTaskExecutor") Executor executor) {
		return new RedLockTemplate(lock, executor);
	}

}

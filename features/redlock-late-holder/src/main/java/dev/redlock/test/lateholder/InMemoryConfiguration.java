package dev.redlock.test.lateholder;

import dev.redlock.Redlock;
import dev.redlock.RedlockListener;
import dev.redlock.RedlockSettings;
import dev.redlock.spi.Scheduler;
import dev.redlock.test.scripted.ScriptedNodes;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configures locks in memory, with a clock that the test moves.
 */
@Configuration(proxyBeanMethods = false)
class InMemoryConfiguration {

	private static final int NODES = 3;

	@Bean
	ScriptedNodes lateHolderNodes() {
		return ScriptedNodes.of(NODES);
	}

	/**
	 * Makes leader election and ShedLock use the clock that the test moves. The
	 * {@code ManualTime} itself is not a bean, because Spring Boot would use a
	 * {@code ManualTime} bean as its executor.
	 */
	@Bean
	Scheduler redlockTimer(ScriptedNodes nodes) {
		return nodes.time()::schedule;
	}

	@Bean
	ServersInMemory lateHolderServers(ScriptedNodes nodes, RedlockSettings settings) {
		return new ServersInMemory(nodes, settings);
	}

	@Bean(destroyMethod = "close")
	Redlock lateHolderRedlock(ScriptedNodes nodes, RedlockSettings settings, ServersInMemory servers,
			@Qualifier("redlockListeners") RedlockListener listeners) {
		return Redlock.over(nodes.asList())
			.settings(settings)
			.ticker(nodes.time())
			.loop(nodes.time())
			.callbacks(servers::report)
			.listener(listeners)
			.build();
	}

}

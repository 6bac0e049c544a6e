package dev.redlock.spring.autoconfigure;

import dev.redlock.lettuce.RedisProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Three servers, and applications that lock on them.
 */
public abstract class ThreeServers {

	@AutoClose
	protected static RedisProcess a;

	@AutoClose
	protected static RedisProcess b;

	@AutoClose
	protected static RedisProcess c;

	protected final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RedlockAutoConfiguration.class));

	@BeforeAll
	static void startServers() {
		a = RedisProcess.start();
		b = RedisProcess.start();
		c = RedisProcess.start();
	}

	final ApplicationContextRunner three() {
		return this.runner.withPropertyValues(instances());
	}

	static String[] instances() {
		return new String[] { "redlock.restart-guard.enabled=false", "redlock.instances.a.host=127.0.0.1",
				"redlock.instances.a.port=" + a.port(), "redlock.instances.b.host=127.0.0.1",
				"redlock.instances.b.port=" + b.port(), "redlock.instances.c.host=127.0.0.1",
				"redlock.instances.c.port=" + c.port() };
	}

}

package dev.redlock.spring.autoconfigure.endpoint;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

class RedlockEndpointAutoConfigurationTests {

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner withoutLock = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RedlockEndpointAutoConfiguration.class))
		.withPropertyValues("management.endpoints.web.exposure.include=redlock");

	private final ApplicationContextRunner runner = this.withoutLock.withBean(Redlock.class, () -> this.world.redlock,
			(definition) -> definition.setDestroyMethodName(""));

	@Test
	void anEndpointThatIsNotExposedIsNotMade() {
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=health")
			.run((context) -> assertThat(context).doesNotHaveBean(RedlockEndpoint.class));
		this.runner.withPropertyValues("management.endpoint.redlock.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(RedlockEndpoint.class));
	}

	@Test
	void thereIsNoneWithoutALock() {
		this.withoutLock.run((context) -> assertThat(context).doesNotHaveBean(RedlockEndpoint.class));
	}

	@Test
	void thereIsNoneWithoutTheActuator() {
		// Imported as in an application: a class with conditions that are not there
		// cannot
		// be registered by itself.
		new ApplicationContextRunner().withUserConfiguration(Imports.class)
			.withPropertyValues("management.endpoints.web.exposure.include=redlock")
			.withBean(Redlock.class, () -> this.world.redlock, (definition) -> definition.setDestroyMethodName(""))
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(RedlockEndpointAutoConfiguration.class));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(RedlockEndpointAutoConfiguration.class)
	static class Imports {

	}

}

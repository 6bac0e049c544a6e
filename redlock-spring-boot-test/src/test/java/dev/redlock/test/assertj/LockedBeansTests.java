package dev.redlock.test.assertj;

import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.autoconfigure.RedlockAnnotationAutoConfiguration;
import dev.redlock.spring.template.RedLockOperations;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static dev.redlock.test.assertj.LockAssertions.assertThatBeansAreLocked;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A test can ask whether a bean with {@code @RedLock} runs without its lock.
 */
class LockedBeansTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RedlockAnnotationAutoConfiguration.class))
		.withBean(RedLockOperations.class, RedLockOperations::withoutLocks);

	@Test
	void aBeanThatTheContainerMakesIsLocked() {
		this.runner.withBean(Orders.class).run((context) -> assertThatBeansAreLocked(context));
	}

	@Test
	void aBeanThatWasRegisteredAsAnInstanceIsNot() {
		this.runner.withInitializer((context) -> context.getBeanFactory().registerSingleton("registered", new Orders()))
			.run((context) -> assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> assertThatBeansAreLocked(context))
				.withMessageContaining("registered")
				.withMessageContaining("without their lock"));
	}

	@Test
	void aBeanThatABeanFactoryPostProcessorNeededIsNot() {
		this.runner.withUserConfiguration(Early.class)
			.run((context) -> assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> assertThatBeansAreLocked(context))
				.withMessageContaining("early"));
	}

	@Test
	void aMockIsNoMistake() {
		this.runner
			.withInitializer(
					(context) -> context.getBeanFactory().registerSingleton("mock", Mockito.mock(Orders.class)))
			.run((context) -> assertThatBeansAreLocked(context));
	}

	@Test
	void aContextWithoutLocksIsNotTakenForOneWithLockedBeans() {
		new ApplicationContextRunner().withBean(Orders.class)
			.run((context) -> assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> assertThatBeansAreLocked(context))
				.withMessageContaining("turn on @RedLock"));
	}

	static class Orders {

		@RedLock("orders")
		public void place() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Early {

		@Bean
		static Orders early() {
			return new Orders();
		}

		@Bean
		static Needy needy(Orders orders) {
			return new Needy();
		}

	}

	static class Needy implements BeanFactoryPostProcessor {

		@Override
		public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		}

	}

	@SpringJUnitConfig(WithMockitoBeanTests.Application.class)
	@Nested
	class WithMockitoBeanTests {

		@MockitoBean
		private Orders orders;

		@Test
		void aMockitoBeanIsNoMistake(@Autowired ApplicationContext context) {
			assertThatBeansAreLocked(context);
		}

		@Configuration(proxyBeanMethods = false)
		@ImportAutoConfiguration(RedlockAnnotationAutoConfiguration.class)
		static class Application {

			@Bean
			Orders orders() {
				return new Orders();
			}

		}

	}

}

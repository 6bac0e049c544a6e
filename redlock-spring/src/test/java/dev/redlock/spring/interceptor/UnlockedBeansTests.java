package dev.redlock.spring.interceptor;

import java.util.ArrayList;
import java.util.List;

import dev.redlock.CurrentLease;
import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.annotation.EnableTransactionManagement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * No method with {@code @RedLock} runs without its lock unless the application is told.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnlockedBeansTests {

	private final ApplicationContextRunner runner = LockedContexts.runner(new LockWorld());

	@ParameterizedTest
	@ValueSource(classes = { InitMethod.class, DestroyMethod.class, InferredDestroyMethod.class })
	void aMethodThatABeanMethodNamesAsCallbackKeepsTheApplicationFromStarting(Class<?> configuration) {
		this.runner.withUserConfiguration(configuration)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidRedLockException.class)
				.hasMessageContaining("Warehouse.")
				.hasMessageContaining("on the bean itself and not on its proxy")
				.hasMessageContaining("or use RedLockTemplate"));
	}

	@ParameterizedTest
	@ValueSource(classes = { PrototypeWithClose.class, DisposableWithClose.class })
	void aLockedMethodThatOnlyLooksLikeACallbackIsAllowed(Class<?> configuration) {
		this.runner.withUserConfiguration(configuration).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(Warehouse.class).isLocked()).isTrue();
		});
	}

	@Test
	void anAnnotatedTypeMayHaveCallbacksWhichRunWithoutTheLock() {
		List<String> unlocked = new ArrayList<>();
		this.runner.withBean(AnnotatedType.class, () -> new AnnotatedType(unlocked)).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(AnnotatedType.class).isLocked()).isTrue();
		});
		assertThat(unlocked).containsExactlyInAnyOrder("load", "afterPropertiesSet", "save", "destroy");
	}

	@ParameterizedTest
	@ValueSource(classes = { Early.class, EarlyProduct.class })
	void aBeanThatAPostProcessorNeedsKeepsTheApplicationFromStarting(Class<?> configuration) {
		this.runner.withUserConfiguration(configuration)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidRedLockException.class)
				.hasMessageContaining("'early'")
				.hasMessageContaining("BeanPostProcessor"));
	}

	@Test
	void anObjectThatWasRegisteredAsASingletonIsNamedAtStart(CapturedOutput output) {
		this.runner.withInitializer((context) -> context.getBeanFactory().registerSingleton("byHand", new Warehouse()))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).contains("'byHand'", "run without a lock");
			});
	}

	@Test
	void aMockNeedsNoLock(CapturedOutput output) {
		this.runner
			.withInitializer(
					(context) -> context.getBeanFactory().registerSingleton("mock", Mockito.mock(Warehouse.class)))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).doesNotContain("run without a lock");
			});
	}

	@ParameterizedTest
	@ValueSource(classes = { Plain.class, Lazily.class, Transactional.class })
	void aChildContextThatDoesNotTurnOnTheAnnotationDoesNotStart(Class<?> configuration) {
		this.runner.run((parent) -> {
			try (AnnotationConfigApplicationContext child = below(parent)) {
				child.register(configuration);
				assertThatExceptionOfType(InvalidRedLockException.class).isThrownBy(child::refresh)
					.withMessageContaining("'warehouse'")
					.withMessageContaining("RedLockConfiguration");
			}
		});
	}

	@Test
	void aChildContextWithTheProxiesOfItsParentIsLocked() {
		this.runner.run((parent) -> {
			try (AnnotationConfigApplicationContext child = below(parent)) {
				AopConfigUtils.registerAspectJAnnotationAutoProxyCreatorIfNecessary(
						(BeanDefinitionRegistry) child.getBeanFactory());
				child.register(Plain.class, Lazily.class);
				child.refresh();
				assertThat(child.getBean("warehouse", Warehouse.class).isLocked()).isTrue();
			}
		});
	}

	@Test
	void aChildContextThatTurnsOnTheAnnotationOrHasNoLockedMethodStarts() {
		this.runner.run((parent) -> {
			try (AnnotationConfigApplicationContext child = below(parent);
					AnnotationConfigApplicationContext empty = below(parent)) {
				child.register(RedLockConfiguration.class, Plain.class);
				child.refresh();
				assertThat(child.getBean(Warehouse.class).isLocked()).isTrue();
				empty.refresh();
			}
		});
	}

	private static AnnotationConfigApplicationContext below(ApplicationContext parent) {
		AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
		child.setParent(parent);
		return child;
	}

	static class Warehouse {

		@RedLock("warehouse")
		public boolean isLocked() {
			return CurrentLease.get().isPresent();
		}

		@RedLock("warehouse")
		public void fill() {
		}

		@RedLock("warehouse")
		public void shutdown() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InitMethod {

		@Bean(initMethod = "fill", destroyMethod = "")
		Warehouse warehouse() {
			return new Warehouse();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DestroyMethod {

		@Bean(destroyMethod = "fill")
		Warehouse warehouse() {
			return new Warehouse();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InferredDestroyMethod {

		@Bean
		Warehouse warehouse() {
			return new Warehouse();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrototypeWithClose {

		@Bean
		@Scope("prototype")
		Warehouse warehouse() {
			return new Warehouse();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DisposableWithClose {

		@Bean
		Warehouse warehouse() {
			return new DisposableWarehouse();
		}

	}

	static class DisposableWarehouse extends Warehouse implements DisposableBean {

		@Override
		public void destroy() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Plain {

		@Bean(destroyMethod = "")
		Warehouse warehouse() {
			return new Warehouse();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Lazily {

		@Bean(destroyMethod = "")
		@Lazy
		Warehouse warehouse() {
			return new Warehouse();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Transactional extends Plain {

	}

	@Configuration(proxyBeanMethods = false)
	static class Early {

		@Bean(destroyMethod = "")
		static Warehouse early() {
			return new Warehouse();
		}

		@Bean
		static Needy needy(Warehouse warehouse) {
			return new Needy();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EarlyProduct {

		@Bean
		static FactoryBean<Warehouse> early() {
			return new FactoryBean<>() {

				@Override
				public Warehouse getObject() {
					return new Warehouse();
				}

				@Override
				public Class<?> getObjectType() {
					return Warehouse.class;
				}

			};
		}

		@Bean
		static Needy needy(Warehouse warehouse) {
			return new Needy();
		}

	}

	static class Needy implements BeanPostProcessor, PriorityOrdered {

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

	@RedLock("type")
	static class AnnotatedType implements InitializingBean, DisposableBean {

		private final List<String> unlocked;

		AnnotatedType(List<String> unlocked) {
			this.unlocked = unlocked;
		}

		@PostConstruct
		public void load() {
			note("load");
		}

		@Override
		public void afterPropertiesSet() {
			note("afterPropertiesSet");
		}

		@PreDestroy
		public void save() {
			note("save");
		}

		@Override
		public void destroy() {
			note("destroy");
		}

		public boolean isLocked() {
			return CurrentLease.get().isPresent();
		}

		private void note(String callback) {
			if (CurrentLease.get().isEmpty()) {
				this.unlocked.add(callback);
			}
		}

	}

}

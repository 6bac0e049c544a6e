package dev.redlock.spring.autoconfigure;

import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.CurrentLease;
import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RedlockAnnotationAutoConfigurationTests {

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RedlockAnnotationAutoConfiguration.class));

	@Test
	void annotationWorksWithTheOperationsOfTheContext() {
		this.runner.withBean(RedLockOperations.class, () -> new RedLockTemplate(this.world.redlock, Runnable::run))
			.withBean(Job.class)
			.run((context) -> assertThat(context.getBean(Job.class).isLocked()).isTrue());
	}

	@Test
	void applicationWithAnnotationButWithoutOperationsDoesNotStart() {
		this.runner.withBean(Job.class)
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("RedLockOperations"));
	}

	@Test
	void applicationWithoutTheAnnotationNeedsNoLock() {
		this.runner.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void lockIsNotCreatedForABeanThatIsCreatedBeforeIt() {
		AtomicBoolean created = new AtomicBoolean();
		this.runner.withBean(Job.class).withBean("watch", Object.class, () -> {
			assertThat(created).isFalse();
			return "watch";
		}).withBean(Redlock.class, () -> {
			created.set(true);
			return this.world.redlock;
		}, (definition) -> definition.setDestroyMethodName(""))
			.withBean(RedLockOperations.class, () -> new RedLockTemplate(this.world.redlock, Runnable::run))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void annotationWorksInAnApplicationWithLazyBeansOnly() {
		this.runner.withBean(RedLockOperations.class, () -> new RedLockTemplate(this.world.redlock, Runnable::run))
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withBean(Job.class)
			.run((context) -> assertThat(context.getBean(Job.class).isLocked()).isTrue());
	}

	@Test
	void annotationWorksWithoutReactorTransactionsAndAspectJ() {
		this.runner
			.withClassLoader(new FilteredClassLoader("reactor", "org.reactivestreams",
					"org.springframework.transaction", "org.aspectj"))
			.withBean(RedLockOperations.class, () -> new RedLockTemplate(this.world.redlock, Runnable::run))
			.withBean(Job.class)
			.run((context) -> assertThat(context.getBean(Job.class).isLocked()).isTrue());
	}

	/**
	 * Public, since with a class loader of its own the proxy is in another package.
	 */
	public static class Job {

		@RedLock("job")
		public boolean isLocked() {
			return CurrentLease.get().isPresent();
		}

	}

}

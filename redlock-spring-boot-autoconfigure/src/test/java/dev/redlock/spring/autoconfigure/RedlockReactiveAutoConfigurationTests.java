package dev.redlock.spring.autoconfigure;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.ReactiveCurrentLease;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RedlockReactiveAutoConfigurationTests {

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(RedlockAnnotationAutoConfiguration.class, RedlockReactiveAutoConfiguration.class));

	private final ApplicationContextRunner withLock = this.runner
		.withBean(Redlock.class, () -> this.world.redlock, (definition) -> definition.setDestroyMethodName(""))
		.withBean(RedLockOperations.class, () -> new RedLockTemplate(this.world.redlock, Runnable::run));

	@Test
	void reactiveMethodIsLocked() {
		this.withLock.withBean(Job.class)
			.run((context) -> assertThat(context.getBean(Job.class).resources().block()).isEqualTo("[job]"));
	}

	@Test
	void templateOfTheUserIsUsed() {
		ReactiveRedLockTemplate own = new ReactiveRedLockTemplate(this.world.redlock);
		this.withLock.withBean(ReactiveRedLockTemplate.class, () -> own)
			.run((context) -> assertThat(context.getBean(ReactiveRedLockTemplate.class)).isSameAs(own));
	}

	@Test
	void thereIsNoTemplateWithoutReactor() {
		this.withLock.withClassLoader(new FilteredClassLoader("reactor"))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(RedlockReactiveAutoConfiguration.class));
	}

	@Test
	void reactiveMethodWithoutATemplateKeepsTheApplicationFromStarting() {
		this.runner.withBean(RedLockOperations.class, () -> new RedLockTemplate(this.world.redlock, Runnable::run))
			.withBean(Job.class)
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("ReactiveRedLockTemplate"));
	}

	static class Job {

		@RedLock("job")
		public Mono<String> resources() {
			return ReactiveCurrentLease.require().map((lease) -> lease.resources().toString());
		}

	}

}

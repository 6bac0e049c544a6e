package dev.redlock.spring.interceptor;

import java.util.function.Consumer;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockTemplate;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Applications with the annotation turned on and a real lock over in-memory nodes.
 */
final class LockedContexts {

	private LockedContexts() {
	}

	static ApplicationContextRunner runner(LockWorld world) {
		return new ApplicationContextRunner()
			.withUserConfiguration(RedLockConfiguration.class, PropertyPlaceholderAutoConfiguration.class)
			.withBean(Redlock.class, () -> world.redlock, (definition) -> definition.setDestroyMethodName(""))
			.withBean(RedLockTemplate.class, () -> new RedLockTemplate(world.redlock, Runnable::run))
			.withBean(ReactiveRedLockTemplate.class,
					() -> new ReactiveRedLockTemplate(world.redlock, Schedulers.immediate()));
	}

	/** Runs a test on a bean of such an application. */
	static <B> void with(LockWorld world, Class<B> type, Consumer<B> test) {
		runner(world).withBean(type).run((context) -> test.accept(context.getBean(type)));
	}

}

package dev.redlock.benchmarks.scenario;

import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockTemplate;

import org.springframework.context.ApplicationContext;

/**
 * Takes the first lock of an application. Apart from it, so that the application runs
 * without this library.
 */
final class FirstLock {

	private FirstLock() {
	}

	static void take(ApplicationContext context) {
		context.getBean(RedLockTemplate.class).execute(LockRequest.of("start-up"), (lease) -> true);
	}

}

package dev.redlock.test.assertj;

import dev.redlock.Redlock;
import dev.redlock.spring.interceptor.RedLockAdvisor;
import org.assertj.core.api.Assertions;

import org.springframework.context.ApplicationContext;

/**
 * The entry point to AssertJ assertions on locks. <pre class="code">
 * assertThatLock(redlock, "stock:42").isHeld();
 * assertThatBeansAreLocked(context);
 * </pre>
 */
public final class LockAssertions {

	private LockAssertions() {
	}

	/**
	 * Begins assertions on a lock. Each assertion asks the Redis servers again, so a test
	 * can repeat the assertion until the assertion holds.
	 */
	public static LockAssert assertThatLock(Redlock redlock, String resource) {
		return new LockAssert(redlock, resource);
	}

	/**
	 * Asserts that all singletons with {@code @RedLock} take their lock when other beans
	 * call them. A bean takes no lock if a bean post-processor needed the bean early, or
	 * if code registered the bean by {@code registerSingleton}. Beans that are Mockito
	 * mocks are not checked.
	 */
	public static void assertThatBeansAreLocked(ApplicationContext context) {
		RedLockAdvisor locks = context.getBeanProvider(RedLockAdvisor.class).getIfAvailable();
		if (locks == null) {
			throw new AssertionError(
					"The application context does not turn on @RedLock, so methods with @RedLock take no lock");
		}
		Assertions.assertThat(locks.unlockedBeans())
			.as("beans whose methods with @RedLock run without their lock. Register these beans as bean definitions, "
					+ "and let no BeanPostProcessor or BeanFactoryPostProcessor depend on them")
			.isEmpty();
	}

}

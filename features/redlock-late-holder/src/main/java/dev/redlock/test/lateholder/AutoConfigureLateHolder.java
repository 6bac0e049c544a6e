package dev.redlock.test.lateholder;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Adds a {@link LateHolder} bean to the application context of a Spring test. The test
 * observes the beans through which the application reaches databases and other services.
 * In a context with this annotation, scheduled methods do not run by themselves, and
 * roles have no leader unless the call under test needs to lead.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface AutoConfigureLateHolder {

	/**
	 * Where the locks of the application are stored in the test.
	 */
	Servers servers() default Servers.IN_MEMORY;

	/**
	 * The servers that store the locks in a test with {@link LateHolder}.
	 */
	enum Servers {

		/**
		 * Locks are stored in memory, with a clock that the test moves. If the test
		 * freezes the holder of a lock, the lock expires at once.
		 */
		IN_MEMORY,

		/**
		 * Locks are stored in real Redis servers on this machine. The test waits until
		 * the ttl of a lock has passed, so set a short {@code redlock.ttl}.
		 */
		EMBEDDED

	}

}

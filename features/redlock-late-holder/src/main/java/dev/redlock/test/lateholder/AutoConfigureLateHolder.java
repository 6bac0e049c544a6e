package dev.redlock.test.lateholder;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Adds a {@link LateHolder} bean to the application context of a Spring test, and watches
 * the beans through which the application reaches databases and other services. Scheduled
 * methods do not run by themselves in this context.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface AutoConfigureLateHolder {

	/**
	 * The place of the locks of the application.
	 * @return by default in memory, with a time that the test moves
	 */
	Servers servers() default Servers.IN_MEMORY;

	/**
	 * The kinds of servers for a test.
	 */
	enum Servers {

		/**
		 * The servers are nodes in memory. A lock expires at once when its holder is
		 * frozen.
		 */
		IN_MEMORY,

		/**
		 * The servers are real Redis servers on this machine. A lock expires when its ttl
		 * has passed, so set a short {@code redlock.ttl}.
		 */
		EMBEDDED

	}

}

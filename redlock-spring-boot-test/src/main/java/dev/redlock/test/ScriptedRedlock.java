package dev.redlock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a JUnit Jupiter test class scripted nodes in memory, as a parameter of type
 * {@link dev.redlock.test.scripted.ScriptedNodes} of its methods. Redis is not needed.
 * <p>
 * In a Spring test the lock of the application context uses these nodes in place of
 * {@code redlock.instances}. These nodes run in real time, and all work normally again
 * before each test. In a test class without Spring, each test gets its own nodes, whose
 * time the test moves.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(ScriptedRedlockExtension.class)
public @interface ScriptedRedlock {

	/**
	 * The number of nodes.
	 * @return the number, from 1 to 26
	 */
	int nodes() default 5;

}

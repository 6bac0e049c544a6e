package dev.redlock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a JUnit Jupiter test class simulated Redis servers in memory, so that tests need
 * no Redis. Methods of the class may have a parameter of type
 * {@link dev.redlock.test.scripted.ScriptedNodes}.
 * <p>
 * In a Spring test, simulated servers replace {@code redlock.instances} and run in real
 * time. In a test class without Spring, each test gets new simulated servers, whose clock
 * the test moves.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(ScriptedRedlockExtension.class)
public @interface ScriptedRedlock {

	/**
	 * The number of simulated Redis servers, from 1 to 26.
	 * @return the number
	 */
	int nodes() default 5;

}

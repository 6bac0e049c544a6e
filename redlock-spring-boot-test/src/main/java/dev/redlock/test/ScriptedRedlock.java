package dev.redlock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a JUnit Jupiter test class nodes in memory that do as they are told, as a
 * parameter of type {@link dev.redlock.test.scripted.ScriptedNodes} of its methods.
 * Nothing of Redis is needed.
 * <p>
 * In a Spring test the lock of the application context is over these nodes, whatever
 * {@code redlock.instances} says; they live in real time, and each test begins with all
 * of them well. Anywhere else each test gets nodes of its own, on time that stands still.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(ScriptedRedlockExtension.class)
public @interface ScriptedRedlock {

	/**
	 * How many nodes there are.
	 * @return the number, from 1 to 26
	 */
	int nodes() default 5;

}

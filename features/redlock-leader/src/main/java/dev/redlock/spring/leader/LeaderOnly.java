package dev.redlock.spring.leader;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.redlock.spring.annotation.RedLock;

import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method only in the process that leads a role. Each process with such a method is
 * a candidate from its start on, until the context of the bean is closed.
 * <pre class="code">
 * &#64;Scheduled(fixedDelay = 1000)
 * &#64;LeaderOnly(value = "importer", otherwise = OnFailure.SKIP_ALWAYS)
 * public void importNext() { … }</pre>
 * <p>
 * A call asks no server: the method runs at once or not at all. Calls of the leader do
 * not exclude each other. The lease of the leader is the current lease inside of the
 * method, and its fence is the term, so storage that compares fences refuses a leader
 * that was paused for too long. The leader releases its lease only after the running
 * calls, and transactions around them, have ended.
 * <p>
 * Return types, checks for mistakes and the order of advice are the same as for
 * {@link RedLock @RedLock}. For publishers, each subscription is a call.
 *
 * @see LeaderTemplate
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@RedLock
public @interface LeaderOnly {

	/**
	 * The name of the role, the same in all processes. The leader holds the lock with
	 * this name, so no other code may lock this name. Placeholders are resolved;
	 * expressions are refused.
	 * @return the name
	 */
	@AliasFor(annotation = RedLock.class, attribute = "resource")
	String value();

	/**
	 * The outcome of a call in a process that does not lead, as for
	 * {@link RedLock#onFailure()}. Without a quorum no process leads, and {@code SKIP}
	 * throws an exception too. A scheduler would log this exception at each call, so use
	 * {@code SKIP_ALWAYS} for a scheduled method.
	 * @return the outcome
	 */
	@AliasFor(annotation = RedLock.class, attribute = "onFailure")
	RedLock.OnFailure otherwise() default RedLock.OnFailure.SKIP;

	/**
	 * The consequence for a call if the lease of the leader is lost while it runs.
	 * @return the consequence
	 */
	@AliasFor(annotation = RedLock.class)
	RedLock.OnLoss onLoss() default RedLock.OnLoss.THROW;

}

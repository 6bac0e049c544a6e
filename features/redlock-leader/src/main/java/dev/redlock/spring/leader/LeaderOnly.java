package dev.redlock.spring.leader;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.redlock.spring.annotation.RedLock;

import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method only in the process that leads a role. Each process that has a method
 * with this annotation is a candidate for the role, until its application context is
 * stopped. <pre class="code">
 * &#64;Scheduled(fixedDelay = 1000)
 * &#64;LeaderOnly(value = "importer", otherwise = OnFailure.SKIP_ALWAYS)
 * public void importNext() { … }</pre>
 * <p>
 * A call of the method sends nothing to Redis: the method runs at once or not at all. Two
 * calls in the leading process may run at the same time. Inside the annotated method,
 * {@code CurrentLease.get()} returns the leader's lease. The fence of the leader's lease
 * increases with each new leader, so storage that compares fences refuses a former
 * leader. The leader releases its lease only after running calls, and transactions around
 * them, have ended.
 * <p>
 * Return types, checks at startup and the order of advice are those of
 * {@link RedLock @RedLock}. If the method returns a publisher, each subscription counts
 * as a call.
 *
 * @see LeaderTemplate
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@RedLock
public @interface LeaderOnly {

	/**
	 * The name of the role, which must be equal in all processes. The leader holds the
	 * lock with this name, so no other code may lock this name. The name may contain
	 * property placeholders, but no expressions.
	 */
	@AliasFor(annotation = RedLock.class, attribute = "resource")
	String value();

	/**
	 * What a call does in a process that does not lead, see {@link RedLock#onFailure()}.
	 * If a majority of servers is missing, so that no process leads, {@code SKIP} throws
	 * an exception. On a method with {@code @Scheduled}, {@code SKIP} means
	 * {@code SKIP_ALWAYS}, because the scheduler would log the exception of each call.
	 */
	@AliasFor(annotation = RedLock.class, attribute = "onFailure")
	RedLock.OnFailure otherwise() default RedLock.OnFailure.SKIP;

	/**
	 * What happens to a running call if the leader's lease is lost.
	 */
	@AliasFor(annotation = RedLock.class)
	RedLock.OnLoss onLoss() default RedLock.OnLoss.THROW;

}

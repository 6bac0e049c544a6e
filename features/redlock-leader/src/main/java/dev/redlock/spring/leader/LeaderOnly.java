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
 * A call asks no server: it runs at once, or not at all. Calls of the leader do not
 * exclude each other. The lease of the leader is the current lease inside of the method,
 * and its fence is the term, so storage that compares fences refuses a leader that stood
 * still. The leader does not give its lease back before the calls that run have ended;
 * inside of a transaction, not before that has ended.
 * <p>
 * Return types, mistakes and the order of advice are those of {@link RedLock @RedLock}.
 * For publishers, each subscription is a call.
 *
 * @see LeaderTemplate
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@RedLock
public @interface LeaderOnly {

	/**
	 * The name of the role, the same in all processes. It is also the name of the lock
	 * that the leader holds, so nothing else may lock it. Placeholders are resolved;
	 * expressions are refused.
	 * @return the name
	 */
	@AliasFor(annotation = RedLock.class, attribute = "resource")
	String value();

	/**
	 * The outcome of a call on a process that does not lead. {@code SKIP} and
	 * {@code THROW} mean what they mean for {@link RedLock#onFailure()}: without a quorum
	 * {@code SKIP} throws too, because no process leads then. A scheduler would log that
	 * at each call, so {@code SKIP_ALWAYS} suits a scheduled method.
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

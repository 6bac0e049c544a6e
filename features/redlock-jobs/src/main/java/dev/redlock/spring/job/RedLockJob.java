package dev.redlock.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * Runs a scheduled job once per tick, on one of many instances: {@link RedLock @RedLock}
 * with the attributes for jobs. The lease is renewed while the job runs. A tick that
 * another instance has taken, and one that overlaps with an earlier tick, is skipped.
 * <pre class="code">
 * &#64;Scheduled(cron = "0 0 2 * * *", zone = "UTC")
 * &#64;RedLockJob("night-run")
 * public void nightRun() { … }</pre>
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@RedLock(once = RedLock.Once.PER_TICK, renew = RedLock.Renew.ON, onFailure = RedLock.OnFailure.SKIP)
public @interface RedLockJob {

	/**
	 * The name of the job, the same on all instances.
	 * @return the name
	 */
	@AliasFor(annotation = RedLock.class, attribute = "resource")
	String value();

	/**
	 * The time after which the nodes forget the lock if the instance dies.
	 * @return a duration; empty for {@code redlock.ttl}
	 */
	@AliasFor(annotation = RedLock.class)
	String ttl() default "";

	/**
	 * The total time after which renewal stops, so that a job that hangs does not block
	 * the ticks after it for ever.
	 * @return a duration; empty for {@code redlock.renew.max-hold}
	 */
	@AliasFor(annotation = RedLock.class)
	String maxHold() default "";

	/**
	 * What happens to a tick whose instance dies.
	 * @return the consequence
	 */
	@AliasFor(annotation = RedLock.class)
	RedLock.OnCrash onCrash() default RedLock.OnCrash.SKIP;

	/**
	 * What happens to a tick that no instance ran.
	 * @return the consequence
	 */
	@AliasFor(annotation = RedLock.class)
	RedLock.Missed missed() default RedLock.Missed.SKIP;

	/**
	 * The consequence for the job if its lock is lost while it runs.
	 * @return the consequence
	 */
	@AliasFor(annotation = RedLock.class)
	RedLock.OnLoss onLoss() default RedLock.OnLoss.THROW;

}

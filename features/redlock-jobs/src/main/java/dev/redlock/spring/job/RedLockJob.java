package dev.redlock.spring.job;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.redlock.spring.annotation.RedLock;

import org.springframework.core.annotation.AliasFor;

/**
 * Runs a scheduled job once per tick, in one of many processes. The method carries
 * {@code @Scheduled} with a cron expression and a zone, or with a fixed rate, and returns
 * when its work has ended. A tick that another process has taken is skipped with each
 * value of {@link #onFailure()}. The lease is renewed while the job runs.
 * <pre class="code">
 * &#64;Scheduled(cron = "0 0 2 * * *", zone = "UTC")
 * &#64;RedLockJob("night-run")
 * public void nightRun() { … }</pre>
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@RedLock(renew = RedLock.Renew.ON)
public @interface RedLockJob {

	/**
	 * The name of the job, the same in all processes.
	 * @return the name
	 */
	@AliasFor(annotation = RedLock.class, attribute = "resource")
	String value();

	/**
	 * The time after which the nodes forget the lock if the process dies.
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
	 * How long to wait while another run holds the lock.
	 * @return a duration; empty for {@code redlock.wait-for}
	 */
	@AliasFor(annotation = RedLock.class)
	String waitFor() default "";

	/**
	 * The greatest number of retries within {@link #waitFor()}; -1 for no limit.
	 * @return a number; by default {@code redlock.retry.count}
	 */
	@AliasFor(annotation = RedLock.class)
	int retryCount() default RedLock.DEFAULT_RETRY_COUNT;

	/**
	 * The upper end of the random delay between two tries.
	 * @return a duration; empty for {@code redlock.retry.delay}
	 */
	@AliasFor(annotation = RedLock.class)
	String retryDelay() default "";

	/**
	 * The names of the instances that vote for this job.
	 * @return names from {@code redlock.instances}; none for all of them
	 */
	@AliasFor(annotation = RedLock.class)
	String[] instances() default {};

	/**
	 * The outcome of a call that does not get the lock. This attribute does not apply if
	 * another process has taken the tick.
	 * @return the outcome
	 */
	@AliasFor(annotation = RedLock.class)
	RedLock.OnFailure onFailure() default RedLock.OnFailure.SKIP;

	/**
	 * What happens to a tick if its process dies.
	 * @return the consequence
	 */
	OnCrash onCrash() default OnCrash.SKIP;

	/**
	 * What happens to a tick of a cron expression that no process ran.
	 * @return the consequence
	 */
	Missed missed() default Missed.SKIP;

	/**
	 * The consequence for the job if its lock is lost while it runs.
	 * @return the consequence
	 */
	@AliasFor(annotation = RedLock.class)
	RedLock.OnLoss onLoss() default RedLock.OnLoss.THROW;

	/**
	 * What happens to a tick whose process dies.
	 */
	enum OnCrash {

		/**
		 * The tick is marked before the method runs, so each tick runs at most once.
		 */
		SKIP,

		/**
		 * The tick is marked after the method has returned or thrown. If the process dies
		 * before the mark, or loses its lock, another process runs the tick again, unless
		 * a later tick has been marked. The job may run more than once for a tick, so a
		 * second run must do no harm.
		 */
		RERUN

	}

	/**
	 * What happens to a tick that no process ran.
	 */
	enum Missed {

		/**
		 * The tick is left out.
		 */
		SKIP,

		/**
		 * When an application starts, or enough nodes can vote again, one process runs
		 * the last tick if no process has run it, and the job is not new. Earlier ticks
		 * are left out. The value {@code LATEST} needs {@code redlock-job-history}, with
		 * {@code redlock.jobs.history.enabled} set to true.
		 */
		LATEST

	}

}

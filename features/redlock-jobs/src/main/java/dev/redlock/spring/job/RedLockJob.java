package dev.redlock.spring.job;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.redlock.spring.annotation.RedLock;

import org.springframework.core.annotation.AliasFor;

/**
 * Runs a scheduled method once per scheduled time (tick), in one of many processes. The
 * method needs {@code @Scheduled} with a cron expression and a zone, or with a fixed
 * rate. The method must not return before its work has ended. If another process has run
 * or started a tick, this process skips the tick, whatever {@link #onFailure()} says. The
 * lock is renewed while the job runs. <pre class="code">
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
	 * The name of the job, which must be equal in all processes.
	 */
	@AliasFor(annotation = RedLock.class, attribute = "resource")
	String value();

	/**
	 * The time after which the lock of the job expires if the process that runs the job
	 * dies.
	 * @return a duration such as {@code 30s}; empty to use {@code redlock.ttl}
	 */
	@AliasFor(annotation = RedLock.class)
	String ttl() default "";

	/**
	 * The longest time for which the lock of a running job is renewed, so that a job that
	 * hangs does not block later ticks.
	 * @return a duration such as {@code 1h}; empty to use {@code redlock.renew.max-hold}
	 */
	@AliasFor(annotation = RedLock.class)
	String maxHold() default "";

	/**
	 * How long a call waits for the lock while another run of the job holds the lock.
	 * @return a duration such as {@code 5s}; empty to use {@code redlock.wait-for}
	 */
	@AliasFor(annotation = RedLock.class)
	String waitFor() default "";

	/**
	 * How often a call retries to get the lock within {@link #waitFor()}; -1 for no
	 * limit.
	 * @return the largest number of retries; by default {@code redlock.retry.count}
	 */
	@AliasFor(annotation = RedLock.class)
	int retryCount() default RedLock.DEFAULT_RETRY_COUNT;

	/**
	 * The longest delay between two attempts to get the lock.
	 * @return a duration such as {@code 200ms}; empty to use {@code redlock.retry.delay}
	 */
	@AliasFor(annotation = RedLock.class)
	String retryDelay() default "";

	/**
	 * The names of the Redis servers that vote on the lock of this job.
	 * @return names from {@code redlock.instances}; empty for all servers
	 */
	@AliasFor(annotation = RedLock.class)
	String[] instances() default {};

	/**
	 * What a call does if it does not get the lock. If another process has run or started
	 * the tick, the call is always skipped.
	 */
	@AliasFor(annotation = RedLock.class)
	RedLock.OnFailure onFailure() default RedLock.OnFailure.SKIP;

	/**
	 * What happens to a tick if the process that runs the tick dies.
	 */
	OnCrash onCrash() default OnCrash.SKIP;

	/**
	 * What happens to a tick of a cron expression if no process ran the job at that time.
	 */
	Missed missed() default Missed.SKIP;

	/**
	 * What happens to a running job if its lock is lost.
	 */
	@AliasFor(annotation = RedLock.class)
	RedLock.OnLoss onLoss() default RedLock.OnLoss.THROW;

	/**
	 * What happens to a tick if the process that runs the tick dies.
	 */
	enum OnCrash {

		/**
		 * The servers record a tick as taken before the job method runs, so each tick
		 * runs at most once.
		 */
		SKIP,

		/**
		 * The servers record a tick as taken after the job method has returned or thrown.
		 * If the process dies before the tick is recorded, or loses its lock, another
		 * process runs the tick again. The job may run more than once for a tick, so a
		 * second run must do no harm.
		 */
		RERUN

	}

	/**
	 * What happens to a tick if no process ran the job at that time.
	 */
	enum Missed {

		/**
		 * A tick that no process ran is left out.
		 */
		SKIP,

		/**
		 * One process runs the last tick late if no process has run it. Processes look
		 * for missed ticks when an application starts, and when a majority of the servers
		 * is available again. Ticks before the last tick are left out, and a job that
		 * never ran has no missed tick. The value {@code LATEST} needs
		 * {@code redlock-job-history}, with {@code redlock.jobs.history.enabled} set to
		 * true.
		 */
		LATEST

	}

}

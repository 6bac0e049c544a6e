package dev.redlock.spring.job;

import java.time.Instant;
import java.util.Collection;
import java.util.function.Supplier;

import dev.redlock.spring.interceptor.AnnotatedMethod;
import org.jspecify.annotations.Nullable;

/**
 * Runs missed ticks of jobs with {@code missed = LATEST}. The module
 * {@code redlock-job-history} has the bean of this type.
 */
@FunctionalInterface
public interface MissedJobs {

	/**
	 * Registers the jobs of a context after its beans were created.
	 * @param jobs the jobs; the jobs of lazy beans are added later
	 */
	void catchUp(Collection<Job> jobs);

	/**
	 * A job that catches up.
	 *
	 * @param bean the name of the job's bean
	 * @param name the name of the job
	 * @param method the method of the job
	 * @param lastTick returns the last moment at which the job was due; null if its only
	 * tick is not due yet
	 */
	record Job(String bean, String name, AnnotatedMethod method, Supplier<@Nullable Instant> lastTick) {

	}

}

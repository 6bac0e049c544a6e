package dev.redlock.spring.job;

import java.time.Instant;
import java.util.Collection;
import java.util.function.Supplier;

import dev.redlock.spring.interceptor.AnnotatedMethod;
import org.jspecify.annotations.Nullable;

/**
 * Runs missed ticks of jobs with {@code missed = LATEST}. The module
 * {@code redlock-job-history} has the bean.
 */
@FunctionalInterface
public interface MissedJobs {

	/**
	 * Registers the jobs of a context after its beans were created.
	 * @param jobs the jobs; those of lazy beans are added later
	 */
	void catchUp(Collection<Job> jobs);

	/**
	 * A job that catches up.
	 *
	 * @param bean the name of its bean
	 * @param name the name of the job
	 * @param method its method
	 * @param lastTick returns the last moment at which it was due; null if its only tick
	 * is not due yet
	 */
	record Job(String bean, String name, AnnotatedMethod method, Supplier<@Nullable Instant> lastTick) {

	}

}

package dev.redlock.spring.job;

import java.time.Instant;
import java.util.Collection;
import java.util.function.Supplier;

import dev.redlock.spring.interceptor.AnnotatedMethod;
import org.jspecify.annotations.Nullable;

/**
 * Catches up with jobs that have {@code missed = LATEST}: a bean of the module
 * {@code redlock-job-history}.
 */
@FunctionalInterface
public interface MissedJobs {

	/**
	 * Takes up the jobs of a context when its beans were created.
	 * @param jobs the jobs; those of lazy beans are added later
	 */
	void catchUp(Collection<Job> jobs);

	/**
	 * A job that catches up.
	 *
	 * @param bean the name of its bean
	 * @param name the name of the job
	 * @param method its method
	 * @param lastTick returns the last moment at which it was due; null if there is only
	 * one that is due within the difference of clocks
	 */
	record Job(String bean, String name, AnnotatedMethod method, Supplier<@Nullable Instant> lastTick) {

	}

}

package dev.redlock.spring.job;

import java.time.Instant;
import java.util.Collection;
import java.util.function.Supplier;

import dev.redlock.spring.interceptor.AnnotatedMethod;
import org.jspecify.annotations.Nullable;

/**
 * Runs a job with {@code missed = LATEST} late if no process ran the job at its last
 * scheduled time (tick). The module {@code redlock-job-history} provides this bean.
 */
@FunctionalInterface
public interface MissedJobs {

	/**
	 * Registers all jobs with {@code missed = LATEST} after the beans of the application
	 * context were created.
	 * @param jobs a live collection: the job of a lazy bean is added when the bean is
	 * created
	 */
	void catchUp(Collection<Job> jobs);

	/**
	 * A job with {@code missed = LATEST}.
	 *
	 * @param lastTick returns the last moment at which the job was due, or null if the
	 * job was not due yet
	 */
	record Job(String bean, String name, AnnotatedMethod method, Supplier<@Nullable Instant> lastTick) {

	}

}

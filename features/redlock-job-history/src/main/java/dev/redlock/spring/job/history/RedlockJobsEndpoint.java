package dev.redlock.spring.job.history;

import java.util.List;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The actuator endpoint {@code redlockjobs}. The endpoint shows the history of the jobs
 * of all processes.
 */
@Endpoint(id = "redlockjobs")
@RegisterReflectionForBinding(RedlockJobsEndpoint.Jobs.class)
final class RedlockJobsEndpoint {

	private final JobHistory history;

	RedlockJobsEndpoint(JobHistory history) {
		this.history = history;
	}

	/**
	 * Reads the last ticks of each job.
	 */
	@ReadOperation
	Jobs jobs() {
		return new Jobs(this.history.jobs());
	}

	/**
	 * The history of the jobs of all processes.
	 *
	 * @param jobs the jobs, by name
	 */
	record Jobs(List<JobReport> jobs) implements OperationResponseBody {

	}

}

package dev.redlock.spring.job.history;

import java.util.List;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The actuator endpoint {@code redlockjobs}, which shows the last runs of each job in all
 * processes.
 */
@Endpoint(id = "redlockjobs")
@RegisterReflectionForBinding(RedlockJobsEndpoint.Jobs.class)
final class RedlockJobsEndpoint {

	private final JobHistory history;

	RedlockJobsEndpoint(JobHistory history) {
		this.history = history;
	}

	@ReadOperation
	Jobs jobs() {
		return new Jobs(this.history.jobs());
	}

	record Jobs(List<JobReport> jobs) implements OperationResponseBody {

	}

}

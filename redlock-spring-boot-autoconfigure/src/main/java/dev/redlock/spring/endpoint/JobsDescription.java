package dev.redlock.spring.endpoint;

import java.util.List;

import dev.redlock.spring.job.JobReport;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The history of the jobs of all instances.
 *
 * @param jobs the jobs, by name
 */
record JobsDescription(List<JobReport> jobs) implements OperationResponseBody {

}

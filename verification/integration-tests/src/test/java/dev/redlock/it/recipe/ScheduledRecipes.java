package dev.redlock.it.recipe;

import java.time.Duration;

import dev.redlock.CurrentLease;
import dev.redlock.spring.job.RedLockJob;

import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecutionException;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Jobs that start the work of other projects.
 */
class ScheduledRecipes {

	private final JobOperator batch;

	private final Job settlement;

	private final IncompleteEventPublications publications;

	ScheduledRecipes(JobOperator batch, Job settlement, IncompleteEventPublications publications) {
		this.batch = batch;
		this.settlement = settlement;
		this.publications = publications;
	}

	@Scheduled(fixedRateString = "${settlement.rate:PT1H}")
	@RedLockJob(value = "settlement", maxHold = "2h")
	public void settle() throws JobExecutionException {
		long run = CurrentLease.require().fence();
		this.batch.start(this.settlement, new JobParametersBuilder().addLong("run", run).toJobParameters());
	}

	@Scheduled(fixedRateString = "${republication.rate:PT1M}")
	@RedLockJob("republication")
	public void republish() {
		this.publications.resubmitIncompletePublicationsOlderThan(Duration.ofMinutes(1));
	}

}

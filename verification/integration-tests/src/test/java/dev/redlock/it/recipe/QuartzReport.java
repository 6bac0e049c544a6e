package dev.redlock.it.recipe;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;

import org.quartz.Job;
import org.quartz.JobExecutionContext;

/**
 * A job of a Quartz scheduler that keeps its jobs in memory on each instance.
 */
class QuartzReport implements Job {

	private final OncePerTick ticks;

	private final Runnable report;

	QuartzReport(OncePerTick ticks, Runnable report) {
		this.ticks = ticks;
		this.report = report;
	}

	@Override
	public void execute(JobExecutionContext context) {
		Instant due = context.getScheduledFireTime().toInstant();
		Date next = context.getTrigger().getFireTimeAfter(Date.from(due));
		Duration interval = (next != null) ? Duration.between(due, next.toInstant()) : Duration.ofHours(1);
		this.ticks.run("report", due, interval, this.report);
	}

}

package dev.redlock.spring.interceptor;

import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import dev.redlock.spring.job.JobHistory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.support.ScheduledMethodRunnable;

/**
 * Catches up with the last tick of each job with {@code missed = LATEST}, by a call that
 * comes late. The history only tells whether that is worth an attempt: whether the tick
 * may run is decided by the nodes, as for each call.
 */
final class MissedTicks {

	private static final Logger logger = LoggerFactory.getLogger(RedLockInterceptor.class);

	private final ConfigurableBeanFactory beans;

	private final Set<Job> jobs = ConcurrentHashMap.newKeySet();

	MissedTicks(ConfigurableBeanFactory beans) {
		this.beans = beans;
	}

	/**
	 * Takes up the job of an annotation, if it is one that catches up.
	 */
	void created(String bean, RedLockSpec spec) {
		JobSchedule schedule = spec.schedule();
		if (schedule == null || !schedule.latest() || schedule.ticks() == null) {
			return;
		}
		LockText name = spec.resources().get(0);
		if (!name.isConstant()) {
			throw invalid(spec.method(), "the name of the job is an expression.",
					"Write the name itself, so that it is known before the call.");
		}
		this.jobs.add(new Job(bean, name.text(), spec.method(), schedule));
	}

	/**
	 * Refuses jobs that cannot catch up for want of a history.
	 */
	void check() {
		for (Job job : this.jobs) {
			if (this.beans.getBeanProvider(JobHistory.class).getIfAvailable() == null) {
				throw invalid(job.method, "there is no history of jobs to tell which tick was missed.",
						"Define a DataSource and add spring-boot-jdbc, see redlock.jobs.history.");
			}
		}
	}

	/**
	 * Attempts the last tick of each job that no instance has recorded. Does not wait.
	 */
	void run() {
		if (!this.jobs.isEmpty()) {
			JobHistory history = this.beans.getBean(JobHistory.class);
			TaskScheduler scheduler = this.beans.getBeanProvider(TaskScheduler.class).getIfUnique();
			Executor executor = (scheduler != null) ? (task) -> scheduler.schedule(task, Instant.now())
					: new SimpleAsyncTaskExecutor("redlock-missed-");
			this.jobs.forEach((job) -> executor.execute(() -> run(job, history)));
		}
	}

	private void run(Job job, JobHistory history) {
		try {
			Instant due = JobSchedule.due(job.schedule.now(job.method));
			if (this.beans.isSingleton(job.bean) && history.isMissed(job.name, due)) {
				logger.info("Catching up with the tick of {} at {}, which no instance has run", job.name, due);
				Object bean = this.beans.getBean(job.bean);
				new ScheduledMethodRunnable(bean, AopUtils.selectInvocableMethod(job.method.method(), bean.getClass()))
					.run();
			}
		}
		catch (RuntimeException ex) {
			logger.error("Catching up with the job {} failed", job.name, ex);
		}
	}

	private static InvalidRedLockException invalid(AnnotatedMethod method, String problem, String action) {
		return new InvalidRedLockException(method, "missed", "it is LATEST, and " + problem, action);
	}

	private record Job(String bean, String name, AnnotatedMethod method, JobSchedule schedule) {

	}

}

package dev.redlock.spring.job;

import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.redlock.LockRequest;
import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.InvalidRedLockException;
import dev.redlock.spring.interceptor.ResourceNameResolver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.scheduling.support.ScheduledMethodRunnable;

/**
 * Catches up with the last tick of each job with {@code missed = LATEST}, by a call that
 * comes late. The history only tells whether that is worth an attempt: whether the tick
 * may run is decided by the nodes, as for each call.
 */
final class MissedTicks {

	private static final Logger logger = LoggerFactory.getLogger(JobExtension.class);

	private final ConfigurableBeanFactory beans;

	private final Set<Job> jobs = ConcurrentHashMap.newKeySet();

	MissedTicks(ConfigurableBeanFactory beans) {
		this.beans = beans;
	}

	/**
	 * Takes up the job of an annotation, if it is one that catches up.
	 */
	void created(String bean, @Nullable String name, AnnotatedMethod method, JobSchedule schedule) {
		if (!schedule.latest() || schedule.ticks() == null) {
			return;
		}
		if (name == null) {
			throw invalid(method, "the name of the job is an expression.",
					"Write the name itself, so that it is known before the call.");
		}
		this.jobs.add(new Job(bean, LockRequest.of(name).resources().get(0), method, schedule));
	}

	/**
	 * Refuses jobs that could never catch up.
	 */
	void check() {
		for (Job job : this.jobs) {
			if (this.beans.getBeanProvider(JobHistory.class).getIfAvailable() == null) {
				throw invalid(job.method, "there is no history of jobs to tell which tick was missed.",
						"Set redlock.jobs.history.enabled to true. It needs a DataSource and the table redlock_job.");
			}
			if (mayRename(this.beans)) {
				throw invalid(job.method, "a ResourceNameResolver may record the job under another name.",
						"Leave missed out, or remove the ResourceNameResolver.");
			}
		}
	}

	/** Whether the name of a job may not be the one that it was given. */
	static boolean mayRename(ConfigurableBeanFactory beans) {
		return beans.getBeanProvider(ResourceNameResolver.class).stream().findAny().isPresent();
	}

	/**
	 * Attempts the last tick of each job that no instance has recorded. Does not wait. An
	 * instance without scheduling runs no jobs.
	 */
	void run() {
		if (!this.jobs.isEmpty()
				&& this.beans.getBeanProvider(ScheduledTaskHolder.class).stream().findAny().isPresent()) {
			JobHistory history = this.beans.getBean(JobHistory.class);
			this.jobs.forEach((job) -> guarded(job, () -> run(job, history)).run());
		}
	}

	private void run(Job job, JobHistory history) {
		Instant due = JobSchedule.due(job.schedule.now(job.method));
		// A call may come early, but a tick that is not due yet is not missed.
		if (this.beans.isSingleton(job.bean) && !due.isAfter(job.schedule.clock().instant())) {
			history.ifMissed(job.name, due, guarded(job, () -> submit(guarded(job, () -> call(job, due)))));
		}
	}

	private void submit(Runnable call) {
		TaskScheduler scheduler = this.beans.getBeanProvider(TaskScheduler.class).getIfUnique();
		if (scheduler != null) {
			scheduler.schedule(call, Instant.now());
		}
		else {
			CustomizableThreadFactory threads = new CustomizableThreadFactory("redlock-missed-");
			threads.setDaemon(true);
			threads.newThread(call).start();
		}
	}

	private void call(Job job, Instant due) {
		logger.info("Catching up with the tick of {} at {}, whose end no instance has recorded", job.name, due);
		Object bean = this.beans.getBean(job.bean);
		new ScheduledMethodRunnable(bean, AopUtils.selectInvocableMethod(job.method.method(), bean.getClass())).run();
	}

	/**
	 * A job that cannot catch up hinders neither the start nor other jobs.
	 */
	private static Runnable guarded(Job job, Runnable step) {
		return () -> {
			try {
				step.run();
			}
			catch (RuntimeException ex) {
				logger.error("Catching up with the job {} failed", job.name, ex);
			}
		};
	}

	private static InvalidRedLockException invalid(AnnotatedMethod method, String problem, String action) {
		return new InvalidRedLockException(method, "missed", "it is LATEST, and " + problem, action);
	}

	private record Job(String bean, String name, AnnotatedMethod method, JobSchedule schedule) {

	}

}

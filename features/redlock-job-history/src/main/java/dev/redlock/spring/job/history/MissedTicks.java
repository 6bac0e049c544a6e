package dev.redlock.spring.job.history;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import dev.redlock.Redlock;
import dev.redlock.spring.autoconfigure.RedlockNodeEvent;
import dev.redlock.spring.job.MissedJobs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.ContextStartedEvent;
import org.springframework.context.event.ContextStoppedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.scheduling.support.ScheduledMethodRunnable;

/**
 * Runs each job with {@code missed = LATEST} late if no process ran the job at its last
 * scheduled time (tick). The Redis servers decide whether a late call of the job may run,
 * as they do for each scheduled call.
 * <p>
 * This class looks for missed ticks when the application is ready, and whenever a
 * majority of servers is available again. This class also listens to parent contexts,
 * because the Redlock may be a bean of a parent context.
 */
final class MissedTicks
		implements ApplicationListener<PayloadApplicationEvent<RedlockNodeEvent>>, MissedJobs, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(MissedTicks.class);

	private final Redlock redlock;

	private final JobHistory history;

	private final ApplicationContext context;

	private final AtomicBoolean couldRun = new AtomicBoolean();

	private volatile boolean ready;

	private volatile Collection<Job> jobs = List.of();

	MissedTicks(Redlock redlock, JobHistory history, ApplicationContext context) {
		this.redlock = redlock;
		this.history = history;
		this.context = context;
	}

	@Override
	public void catchUp(Collection<Job> jobs) {
		this.jobs = jobs;
		parents((parent) -> parent.addApplicationListener(this));
	}

	@Override
	public void destroy() {
		parents((parent) -> parent.removeApplicationListener(this));
	}

	@Override
	public void onApplicationEvent(PayloadApplicationEvent<RedlockNodeEvent> event) {
		checkForMissedTicks();
	}

	@EventListener(ApplicationReadyEvent.class)
	void ready() {
		this.ready = true;
		checkForMissedTicks();
	}

	@EventListener({ ContextStartedEvent.class, ContextStoppedEvent.class })
	void checkForMissedTicks() {
		// In a test, a mocked Redlock has no nodes, and its quorum is null.
		boolean now = this.ready && !this.redlock.nodes().isEmpty() && this.redlock.quorum().isReached();
		if (!this.couldRun.getAndSet(now) && now) {
			run();
		}
	}

	/**
	 * If scheduling is turned off in this process, the process runs no missed job.
	 */
	private void run() {
		if (!this.jobs.isEmpty()
				&& this.context.getBeanProvider(ScheduledTaskHolder.class).stream().findAny().isPresent()) {
			this.jobs.forEach((job) -> guarded(job, () -> run(job)).run());
		}
	}

	private void run(Job job) {
		Instant due = job.lastTick().get();
		if (due != null && this.context.isSingleton(job.bean())) {
			this.history.ifMissed(job.name(), due, guarded(job, () -> submit(guarded(job, () -> call(job, due)))));
		}
	}

	private void submit(Runnable call) {
		TaskScheduler scheduler = this.context.getBeanProvider(TaskScheduler.class).getIfUnique();
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
		logger.info("Running the job {} late: it was due at {}, and no process has recorded that it ended", job.name(),
				due);
		Object bean = this.context.getBean(job.bean());
		new ScheduledMethodRunnable(bean, AopUtils.selectInvocableMethod(job.method().method(), bean.getClass())).run();
	}

	private void parents(Consumer<ConfigurableApplicationContext> action) {
		for (ApplicationContext each = this.context.getParent(); each != null; each = each.getParent()) {
			if (each instanceof ConfigurableApplicationContext parent) {
				action.accept(parent);
			}
		}
	}

	/**
	 * Logs exceptions instead of throwing, so that startup and other jobs go on.
	 */
	private static Runnable guarded(Job job, Runnable step) {
		return () -> {
			try {
				step.run();
			}
			catch (RuntimeException ex) {
				logger.error("Could not make up for a missed run of the job {}", job.name(), ex);
			}
		};
	}

}

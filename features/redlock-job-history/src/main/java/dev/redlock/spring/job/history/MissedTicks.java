package dev.redlock.spring.job;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.spring.autoconfigure.RedlockNodeEvent;
import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.InvalidRedLockException;
import dev.redlock.spring.interceptor.ResourceNameResolver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
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
 * Catches up with the last tick of each job with {@code missed = LATEST}, by a call that
 * comes late. The history only tells whether that is worth an attempt: whether the tick
 * may run is decided by the nodes, as for each call.
 * <p>
 * This happens when the application is ready and enough nodes can vote, and each time
 * that they can vote again. That includes a context that was stopped and is started
 * again. The nodes may be those of a parent context, whose events do not reach this
 * context by themselves.
 */
final class MissedTicks implements ApplicationListener<PayloadApplicationEvent<RedlockNodeEvent>>,
		SmartInitializingSingleton, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(JobExtension.class);

	private final ObjectProvider<Redlock> redlock;

	private final JobExtension jobs;

	private final ApplicationContext context;

	private final AtomicBoolean able = new AtomicBoolean();

	private volatile boolean ready;

	MissedTicks(ObjectProvider<Redlock> redlock, JobExtension jobs, ApplicationContext context) {
		this.redlock = redlock;
		this.jobs = jobs;
		this.context = context;
	}

	/**
	 * Refuses jobs that could never catch up.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		for (Job job : this.jobs.latest()) {
			job.method.refuseIf(this.context.getBeanProvider(JobHistory.class).getIfAvailable() == null, "missed",
					"it is LATEST, and there is no history of jobs to tell which tick was missed.",
					"Set redlock.jobs.history.enabled to true. It needs a DataSource and the table redlock_job.");
			job.method.refuseIf(mayRename(this.context), "missed",
					"it is LATEST, and a ResourceNameResolver may record the job under another name.",
					"Leave missed out, or remove the ResourceNameResolver.");
		}
		parents((parent) -> parent.addApplicationListener(this));
	}

	@Override
	public void destroy() {
		parents((parent) -> parent.removeApplicationListener(this));
	}

	@Override
	public void onApplicationEvent(PayloadApplicationEvent<RedlockNodeEvent> event) {
		look();
	}

	@EventListener(ApplicationReadyEvent.class)
	void ready() {
		this.ready = true;
		look();
	}

	@EventListener({ ContextStartedEvent.class, ContextStoppedEvent.class })
	void look() {
		Redlock lock = this.redlock.getIfUnique();
		// The mock of a lock in a test has no nodes, and no status of them.
		boolean now = this.ready && lock != null && !lock.nodes().isEmpty() && lock.quorum().isReached();
		if (!this.able.getAndSet(now) && now) {
			run();
		}
	}

	/** Whether the name of a job may not be the one that it was given. */
	static boolean mayRename(BeanFactory beans) {
		return beans.getBeanProvider(ResourceNameResolver.class).stream().findAny().isPresent();
	}

	/**
	 * Attempts the last tick of each job that no instance has recorded. Does not wait. An
	 * instance without scheduling runs no jobs.
	 */
	private void run() {
		if (!this.jobs.latest().isEmpty()
				&& this.context.getBeanProvider(ScheduledTaskHolder.class).stream().findAny().isPresent()) {
			JobHistory history = this.context.getBean(JobHistory.class);
			this.jobs.latest().forEach((job) -> guarded(job, () -> run(job, history)).run());
		}
	}

	private void run(Job job, JobHistory history) {
		Instant due = JobSchedule.due(job.schedule.now(job.method));
		// A call may come early, but a tick that is not due yet is not missed.
		if (this.context.isSingleton(job.bean) && !due.isAfter(job.schedule.clock().instant())) {
			history.ifMissed(job.name, due, guarded(job, () -> submit(guarded(job, () -> call(job, due)))));
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
		logger.info("Catching up with the tick of {} at {}, whose end no instance has recorded", job.name, due);
		Object bean = this.context.getBean(job.bean);
		new ScheduledMethodRunnable(bean, AopUtils.selectInvocableMethod(job.method.method(), bean.getClass())).run();
	}

	private void parents(Consumer<ConfigurableApplicationContext> action) {
		for (ApplicationContext each = this.context.getParent(); each != null; each = each.getParent()) {
			if (each instanceof ConfigurableApplicationContext parent) {
				action.accept(parent);
			}
		}
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

	/**
	 * A job that catches up.
	 */
	record Job(String bean, String name, AnnotatedMethod method, JobSchedule schedule) {

		/**
		 * Takes up the job of a bean.
		 * @param name the name of the job; null if it depends on the call
		 */
		static Job of(String bean, @Nullable String name, AnnotatedMethod method, JobSchedule schedule) {
			if (name == null) {
				throw new InvalidRedLockException(method, "missed",
						"it is LATEST, and the name of the job is an expression.",
						"Write the name itself, so that it is known before the call.");
			}
			return new Job(bean, LockRequest.of(name).resources().get(0), method, schedule);
		}

	}

}

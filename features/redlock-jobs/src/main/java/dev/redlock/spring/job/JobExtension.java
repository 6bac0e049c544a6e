package dev.redlock.spring.job;

import java.lang.reflect.AnnotatedElement;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import dev.redlock.LockRequest;
import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.InvalidRedLockException;
import dev.redlock.spring.interceptor.LockedMethodExtension;
import dev.redlock.spring.interceptor.ResourceNameResolver;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.config.ScheduledTaskHolder;

/**
 * Runs each method with {@link RedLockJob} once per scheduled time (tick) in all
 * processes.
 */
final class JobExtension implements LockedMethodExtension, SmartInitializingSingleton, SmartLifecycle {

	/**
	 * The {@code @Retryable} annotations are given by name, because Spring Retry may be
	 * absent.
	 */
	private static final List<String> RETRYABLE = List.of("org.springframework.resilience.annotation.Retryable",
			"org.springframework.retry.annotation.Retryable");

	private static final String MISSED = "missed";

	private final ConfigurableListableBeanFactory beans;

	private final Consumer<Object> events;

	private final Clock clock;

	private final Map<String, ScheduledJob> methodsByJobName = new ConcurrentHashMap<>();

	/** The jobs whose schedule is not turned off. */
	private final Map<ScheduledJob, JobSchedule> active = new ConcurrentHashMap<>();

	/** The jobs with {@code missed = LATEST}. */
	private final Map<ScheduledJob, MissedJobs.Job> latest = new ConcurrentHashMap<>();

	/** The runs that wait in the background for a tick that another process has taken. */
	private final Set<JobRunner.Run> waiting = ConcurrentHashMap.newKeySet();

	private volatile @Nullable JobObserver observer;

	private volatile boolean stopped;

	JobExtension(ConfigurableListableBeanFactory beans, Consumer<Object> events, Clock clock) {
		this.beans = beans;
		this.events = events;
		this.clock = clock;
	}

	@Override
	public @Nullable Runner read(AnnotatedMethod method) {
		MergedAnnotation<?> annotation = method.annotation();
		while (annotation != null && annotation.getType() != RedLockJob.class) {
			annotation = annotation.getMetaSource();
		}
		if (annotation == null) {
			return null;
		}
		JobSchedule schedule = new JobScheduleReader(this.beans, method, this.clock).read(annotation);
		method.refuseIf(isRetried(method.method()) || isRetried(method.targetClass()), "place",
				"the method has @Retryable too, and a retry would find the tick taken by the first attempt and hide "
						+ "the exception of that attempt.",
				"Put @Retryable on a method of another bean, and let the job call that method.");
		return new JobRunner(method, schedule, this, this.events);
	}

	/**
	 * Refuses a job whose name another job has already.
	 * @param name the name of the job; null if an expression computes the name at each
	 * call
	 */
	void created(String bean, @Nullable String name, AnnotatedMethod method, JobSchedule schedule) {
		if (schedule.ticks() == null) {
			return;
		}
		ScheduledJob job = new ScheduledJob(bean, method);
		ScheduledJob other = (name != null) ? this.methodsByJobName.putIfAbsent(name, job) : null;
		method.refuseIf(other != null && !other.equals(job) && !mayRenameJobs(), "resource",
				"'" + name + "' is also the name of the job " + other
						+ ". If both jobs were due at the same time, only one of them would run.",
				"Give each job a name of its own. If the jobs must not overlap, let each job call the same method "
						+ "of another bean, with @RedLock. If several beans share one job method, put a value of the "
						+ "bean into the name of the job, as in import:#{#root.target.source()}.");
		if (schedule.latest()) {
			this.latest.put(job, latest(bean, name, method, schedule));
		}
		JobObserver told = this.observer;
		if (this.active.putIfAbsent(job, schedule) == null && told != null) {
			told.created(job, schedule.nextDue());
		}
	}

	void observe(JobObserver observer) {
		this.observer = observer;
		this.active.forEach((job, schedule) -> observer.created(job, schedule.nextDue()));
	}

	void ended(ScheduledJob job, RedlockJobEvent event) {
		JobObserver told = this.observer;
		if (told != null) {
			told.ended(job, event);
		}
	}

	/**
	 * Returns the name of a bean whose job method was called.
	 * @param candidates the names of all beans that have the method
	 */
	String nameOf(@Nullable Object bean, Set<String> candidates) {
		return candidates.stream()
			.filter((name) -> candidates.size() == 1 || isBean(this.beans.getSingleton(name), bean))
			.findFirst()
			.orElse("");
	}

	private static boolean isBean(@Nullable Object singleton, @Nullable Object bean) {
		Object each = singleton;
		while (each != null && each != bean) {
			each = AopProxyUtils.getSingletonTarget(each);
		}
		return each != null;
	}

	/**
	 * Makes startup fail if no scheduler calls the jobs. For a job with
	 * {@code missed = LATEST}, startup also fails if there is no history of jobs, or if a
	 * {@link ResourceNameResolver} may rename the job.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		this.active.keySet()
			.forEach((job) -> job.method()
				.refuseIf(isNeverCalled(), "schedule",
						"the application has no @EnableScheduling, so no scheduler calls the job.",
						"Add @EnableScheduling to a configuration class. If this process should run no jobs on its own, for "
								+ "example in a test, set redlock.jobs.require-scheduling to false."));
		MissedJobs missed = this.beans.getBeanProvider(MissedJobs.class).getIfAvailable();
		this.latest.values().forEach((job) -> {
			job.method()
				.refuseIf(missed == null, MISSED,
						"missed is LATEST, and there is no history of jobs to tell which tick was missed.",
						"Add dev.redlock:redlock-job-history, and set redlock.jobs.history.enabled to true. The "
								+ "history needs a DataSource and the table redlock_job.");
			job.method()
				.refuseIf(mayRenameJobs(), MISSED,
						"missed is LATEST, and a ResourceNameResolver may record the job under another name.",
						"Remove missed = LATEST, or remove the ResourceNameResolver.");
		});
		if (missed != null) {
			missed.catchUp(this.latest.values());
		}
	}

	@Override
	public void start() {
		this.stopped = false;
	}

	/**
	 * Lets jobs take no more ticks when the application context stops, so that other
	 * processes run these ticks.
	 */
	@Override
	public void stop() {
		this.stopped = true;
		this.waiting.forEach(JobRunner.Run::stop);
	}

	@Override
	public boolean isRunning() {
		return !this.stopped;
	}

	@Override
	public boolean isPauseable() {
		return false;
	}

	Set<JobRunner.Run> waiting() {
		return this.waiting;
	}

	private static MissedJobs.Job latest(String bean, @Nullable String name, AnnotatedMethod method,
			JobSchedule schedule) {
		if (name == null) {
			throw new InvalidRedLockException(method, MISSED,
					"missed is LATEST, and the name of the job is an expression.",
					"Write the name as plain text, so that the name is known before the call.");
		}
		return new MissedJobs.Job(bean, LockRequest.of(name).resources().get(0), method, () -> {
			Instant due = JobSchedule.due(schedule.currentTick(method));
			// The tick may be due in the future, because a scheduler may call a job
			// slightly early.
			return due.isAfter(schedule.clock().instant()) ? null : due;
		});
	}

	/**
	 * The scheduler of a parent context does not call the beans of this context, so
	 * parent contexts are not searched.
	 */
	private boolean isNeverCalled() {
		boolean required = this.beans.getBean(Environment.class)
			.getProperty("redlock.jobs.require-scheduling", Boolean.class, true);
		return required && this.beans.getBeanNamesForType(ScheduledTaskHolder.class, false, false).length == 0;
	}

	private boolean mayRenameJobs() {
		return this.beans.getBeanProvider(ResourceNameResolver.class).stream().findAny().isPresent();
	}

	private static boolean isRetried(AnnotatedElement element) {
		MergedAnnotations annotations = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
		return RETRYABLE.stream().anyMatch(annotations::isPresent);
	}

}

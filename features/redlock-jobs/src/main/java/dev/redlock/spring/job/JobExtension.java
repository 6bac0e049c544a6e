package dev.redlock.spring.job;

import java.lang.reflect.AnnotatedElement;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import dev.redlock.LockRequest;
import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.InvalidRedLockException;
import dev.redlock.spring.interceptor.LockedMethodExtension;
import dev.redlock.spring.interceptor.ResourceNameResolver;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Runs each method with {@link RedLockJob} once per scheduled time (tick) in all
 * processes.
 */
final class JobExtension implements LockedMethodExtension, SmartInitializingSingleton {

	/**
	 * The {@code @Retryable} annotations are given by name, because Spring Retry may be
	 * absent.
	 */
	private static final List<String> RETRYABLE = List.of("org.springframework.resilience.annotation.Retryable",
			"org.springframework.retry.annotation.Retryable");

	private static final String MISSED = "missed";

	private final ConfigurableBeanFactory beans;

	private final Consumer<Object> events;

	private final Clock clock;

	private final Map<String, String> methodsByJobName = new ConcurrentHashMap<>();

	/** The jobs with {@code missed = LATEST}, by method and bean. */
	private final Map<String, MissedJobs.Job> latest = new ConcurrentHashMap<>();

	JobExtension(ConfigurableBeanFactory beans, Consumer<Object> events, Clock clock) {
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
		String job = method + " of the bean '" + bean + "'";
		String other = (name != null && schedule.ticks() != null) ? this.methodsByJobName.putIfAbsent(name, job) : null;
		method.refuseIf(other != null && !other.equals(job) && !mayRenameJobs(), "resource",
				"'" + name + "' is also the name of the job " + other
						+ ". If both jobs were due at the same time, only one of them would run.",
				"Give each job a name of its own. If the jobs must not overlap, let each job call the same method "
						+ "of another bean, with @RedLock. If several beans share one job method, put a value of the "
						+ "bean into the name of the job, as in import:#{#root.target.source()}.");
		if (schedule.latest() && schedule.ticks() != null) {
			this.latest.put(job, latest(bean, name, method, schedule));
		}
	}

	/**
	 * Makes startup fail if a job with {@code missed = LATEST} has no history of jobs, or
	 * if a {@link ResourceNameResolver} may rename the job.
	 */
	@Override
	public void afterSingletonsInstantiated() {
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

	private boolean mayRenameJobs() {
		return this.beans.getBeanProvider(ResourceNameResolver.class).stream().findAny().isPresent();
	}

	private static boolean isRetried(AnnotatedElement element) {
		MergedAnnotations annotations = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
		return RETRYABLE.stream().anyMatch(annotations::isPresent);
	}

}

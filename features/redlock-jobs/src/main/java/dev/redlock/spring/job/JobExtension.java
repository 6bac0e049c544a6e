package dev.redlock.spring.job;

import java.lang.reflect.AnnotatedElement;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.LockedMethodExtension;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Runs methods with {@code once = PER_TICK} once per tick.
 */
final class JobExtension implements LockedMethodExtension {

	/** By name, because Spring Retry is another library. */
	private static final List<String> RETRYABLE = List.of("org.springframework.resilience.annotation.Retryable",
			"org.springframework.retry.annotation.Retryable");

	private final ConfigurableBeanFactory beans;

	private final Consumer<Object> events;

	private final Clock clock;

	/** The method and the bean of each job by its name. */
	private final Map<String, String> byName = new ConcurrentHashMap<>();

	/** The jobs that catch up. */
	private final Set<MissedTicks.Job> latest = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the extension.
	 * @param events receives the start and the outcome of each tick
	 * @param clock tells when a call comes
	 */
	JobExtension(ConfigurableBeanFactory beans, Consumer<Object> events, Clock clock) {
		this.beans = beans;
		this.events = events;
		this.clock = clock;
	}

	@Override
	public @Nullable Runner read(AnnotatedMethod method) {
		JobSchedule schedule = new JobScheduleReader(this.beans, method, this.clock).read();
		if (schedule == null) {
			return null;
		}
		method.refuseIf(method.annotation().getStringArray("resource").length > 1, "resource",
				"a job has one name, and there are several resources.", "Name one: the name of the job.");
		method.refuseIf(isRetried(method.method()) || isRetried(method.targetClass()), "place",
				"it is beside @Retryable, and a retry would find its own tick taken and hide the exception.",
				"Let the job call a method of another bean that has @Retryable.");
		return new JobRunner(method, schedule, this, this.events);
	}

	/**
	 * Takes up the job of a bean, and refuses two jobs of one name.
	 * @param name the name of the job; null if it depends on the call
	 */
	void created(String bean, @Nullable String name, AnnotatedMethod method, JobSchedule schedule) {
		String job = method + " of the bean '" + bean + "'";
		String other = (name != null && schedule.ticks() != null) ? this.byName.putIfAbsent(name, job) : null;
		method.refuseIf(other != null && !other.equals(job) && !MissedTicks.mayRename(this.beans), "resource",
				"'" + name + "' is also the name of the job " + other
						+ ", and of two ticks at one time only one would run.",
				"Give each job a name of its own. If they must not overlap, let both call a method of another bean with"
						+ " @RedLock. One method of several beans may take a part of its name from the bean, as in"
						+ " import:#{#root.target.source()}.");
		if (schedule.latest() && schedule.ticks() != null) {
			this.latest.add(MissedTicks.Job.of(bean, name, method, schedule));
		}
	}

	/**
	 * Returns the jobs with {@code missed = LATEST}.
	 */
	Set<MissedTicks.Job> latest() {
		return this.latest;
	}

	private static boolean isRetried(AnnotatedElement element) {
		MergedAnnotations annotations = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
		return RETRYABLE.stream().anyMatch(annotations::isPresent);
	}

}

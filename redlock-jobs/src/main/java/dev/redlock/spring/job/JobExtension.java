package dev.redlock.spring.job;

import java.time.Clock;
import java.util.function.Consumer;

import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.InvalidRedLockException;
import dev.redlock.spring.interceptor.LockedMethodExtension;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/**
 * Runs methods with {@code once = PER_TICK} once per tick.
 */
final class JobExtension implements LockedMethodExtension, SmartInitializingSingleton {

	private final ConfigurableBeanFactory beans;

	private final Consumer<Object> events;

	private final Clock clock;

	private final MissedTicks missed;

	/**
	 * Creates the extension.
	 * @param events receives the start and the outcome of each tick
	 * @param clock tells when a call comes
	 */
	JobExtension(ConfigurableBeanFactory beans, Consumer<Object> events, Clock clock) {
		this.beans = beans;
		this.events = events;
		this.clock = clock;
		this.missed = new MissedTicks(beans);
	}

	@Override
	public @Nullable Runner read(AnnotatedMethod method) {
		JobSchedule schedule = new JobScheduleReader(this.beans, method, this.clock).read();
		if (schedule == null) {
			return null;
		}
		if (method.annotation().getStringArray("resource").length > 1) {
			throw new InvalidRedLockException(method, "resource",
					"a job has one name, and there are several resources.", "Name one: the name of the job.");
		}
		return new JobRunner(method, schedule, this.missed, this.events);
	}

	/**
	 * Refuses jobs that could never catch up.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		this.missed.check();
	}

	/**
	 * Attempts the last tick of each job with {@code missed = LATEST} that no instance
	 * has run, in the background. The nodes decide whether it may run.
	 */
	void catchUp() {
		this.missed.run();
	}

}

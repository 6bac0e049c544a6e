package dev.redlock.spring.job;

import java.time.Clock;

import org.springframework.context.support.GenericApplicationContext;

/**
 * Lets the jobs of an application read another clock.
 */
public final class JobClock {

	private JobClock() {
	}

	public static void register(GenericApplicationContext context, Clock clock) {
		context.registerBean(JobExtension.class,
				() -> new JobExtension(context.getBeanFactory(), context::publishEvent, clock));
	}

}

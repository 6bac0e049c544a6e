package dev.redlock.spring.job;

import java.time.Clock;

import dev.redlock.spring.interceptor.LockedMethodExtension;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Jobs of a host whose clock is wrong.
 */
public final class JobsByAnotherClock {

	private JobsByAnotherClock() {
	}

	public static LockedMethodExtension extension(ConfigurableBeanFactory beans, ApplicationEventPublisher events,
			Clock clock) {
		return new JobExtension(beans, events::publishEvent, clock);
	}

}

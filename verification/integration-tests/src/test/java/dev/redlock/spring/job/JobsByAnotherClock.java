package dev.redlock.spring.job;

import java.time.Clock;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Jobs of a host whose clock is wrong.
 */
@Configuration(proxyBeanMethods = false)
public class JobsByAnotherClock {

	@Bean
	static JobExtension jobsByAnotherClock(ConfigurableListableBeanFactory beans, ApplicationEventPublisher events,
			Clock clock) {
		return new JobExtension(beans, events::publishEvent, clock);
	}

}

package dev.redlock.spring.integration;

import dev.redlock.spring.leader.LeaderTemplate;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;

/**
 * Auto-configuration that republishes leader events as events of Spring Integration.
 */
@AutoConfiguration(afterName = "dev.redlock.spring.leader.RedlockLeaderAutoConfiguration")
@ConditionalOnClass(LeaderTemplate.class)
@ConditionalOnBean(LeaderTemplate.class)
public final class RedlockLeaderEventsAutoConfiguration {

	@Bean
	LeaderEvents redlockLeaderEvents(LeaderTemplate leaders, ApplicationEventPublisher events) {
		return new LeaderEvents(leaders, new DefaultLeaderEventPublisher(events));
	}

}

package dev.redlock.spring.autoconfigure.web;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.Redlock;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Auto-configuration of the answers to web requests that failed because of a lock, for
 * Spring MVC and WebFlux.
 */
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnClass({ LockNotAcquiredException.class, RestControllerAdvice.class, ProblemDetail.class })
@EnableConfigurationProperties(RedlockWebProperties.class)
public final class RedlockProblemDetailsAutoConfiguration {

	@Bean
	@ConditionalOnBooleanProperty("redlock.web.problem-details.enabled")
	LockProblems redlockProblems(RedlockWebProperties properties, ObjectProvider<Redlock> redlock) {
		return new LockProblems(properties.problemDetails().retryAfter(), redlock.getIfUnique());
	}

}

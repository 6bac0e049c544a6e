package dev.redlock.spring.fencing;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Auto-configuration of the HTTP answer of Spring MVC and WebFlux when a controller fails
 * with a {@link StaleFenceException}.
 */
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnClass({ RestControllerAdvice.class, ProblemDetail.class })
@ConditionalOnBooleanProperty("redlock.web.problem-details.enabled")
public final class RedlockFenceProblemsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	FenceProblems redlockFenceProblems() {
		return new FenceProblems();
	}

}

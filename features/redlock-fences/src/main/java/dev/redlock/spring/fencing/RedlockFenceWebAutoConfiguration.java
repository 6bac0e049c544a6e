package dev.redlock.spring.fencing;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Auto-configuration of Spring MVC and WebFlux for services that check fences. Reads all
 * lines of the header {@code Redlock-Fence}, and answers a request whose controller fails
 * with a {@link StaleFenceException}.
 */
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnClass({ RestControllerAdvice.class, ProblemDetail.class })
public final class RedlockFenceWebAutoConfiguration {

	@Bean
	FenceHeaderConverter redlockFenceHeaderConverter() {
		return new FenceHeaderConverter();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty("redlock.web.problem-details.enabled")
	static class Problems {

		@Bean
		FenceProblems redlockFenceProblems() {
			return new FenceProblems();
		}

	}

}

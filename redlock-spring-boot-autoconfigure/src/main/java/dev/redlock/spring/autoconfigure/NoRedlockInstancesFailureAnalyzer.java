package dev.redlock.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Shows what to write where no instances are configured.
 */
class NoRedlockInstancesFailureAnalyzer extends AbstractFailureAnalyzer<NoRedlockInstancesException> {

	private static final String ACTION = """
			Name the Redis servers in application.yml, an odd number of independent masters:

			redlock:
			  instances:
			    a: { host: redis-a.example.org }
			    b: { host: redis-b.example.org }
			    c: { host: redis-c.example.org }

			For development without Redis, add the dependency dev.redlock:redlock-spring-boot-test \
			(optional in Maven, developmentOnly in Gradle) and set redlock.embedded.enabled=true: \
			the application then starts embedded nodes of its own. They exclude no other process, \
			so never do that in production. Tests with an application context and Spring Boot's \
			developer tools start them without the property. \
			To run without locks, set redlock.enabled to false.""";

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, NoRedlockInstancesException cause) {
		return new FailureAnalysis(cause.description(), ACTION, cause);
	}

}

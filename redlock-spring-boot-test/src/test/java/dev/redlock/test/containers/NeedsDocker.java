package dev.redlock.test.containers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;

/**
 * Skips the tests where no Docker engine answers, and says so. In continuous integration,
 * where CI is "true", they fail instead: there they are not to be missed.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsDocker.Condition.class)
@interface NeedsDocker {

	class Condition implements ExecutionCondition {

		@Override
		public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
			if (DockerClientFactory.instance().isDockerAvailable()) {
				return ConditionEvaluationResult.enabled("A Docker engine answers");
			}
			return withoutEngine(System.getenv("CI"));
		}

		static ConditionEvaluationResult withoutEngine(String ci) {
			if (Boolean.parseBoolean(ci)) {
				throw new IllegalStateException("No Docker engine answers, and CI=" + ci + " says that the tests on"
						+ " containers must run. Start an engine, or set DOCKER_HOST to one.");
			}
			return ConditionEvaluationResult.disabled("No Docker engine answers. Start one to run these tests.");
		}

	}

}

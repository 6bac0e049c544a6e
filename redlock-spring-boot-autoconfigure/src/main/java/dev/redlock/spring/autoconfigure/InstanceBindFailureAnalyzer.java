package dev.redlock.spring.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Says that an instance is a group of properties and not one value. It comes before
 * Spring Boot's own analyzer, which would show the value, and a URL may hold a password.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class InstanceBindFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		boolean all = cause.getName().toString().equals("redlock.instances");
		if (!all && cause.getTarget().getType().resolve() != RedlockInstance.class) {
			return null;
		}
		String property = cause.getName() + (all ? ".<name>" : "");
		return new FailureAnalysis(
				"The configuration property '" + cause.getName()
						+ "' is not usable: it has a single value, but an instance needs properties below it.",
				"Write " + property + ".url for a URL like redis://host:6379, or " + property + ".host and " + property
						+ ".port.",
				cause);
	}

}

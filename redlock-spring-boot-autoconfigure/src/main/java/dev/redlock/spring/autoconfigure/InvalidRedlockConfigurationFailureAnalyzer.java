package dev.redlock.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says which property is wrong, why, and what to do.
 */
class InvalidRedlockConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidRedlockConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidRedlockConfigurationException cause) {
		return new FailureAnalysis(cause.description(), cause.action(), cause);
	}

}

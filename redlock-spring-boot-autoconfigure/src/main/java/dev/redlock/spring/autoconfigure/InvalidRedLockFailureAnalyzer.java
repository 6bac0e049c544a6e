package dev.redlock.spring.autoconfigure;

import dev.redlock.spring.interceptor.InvalidRedLockException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains which {@code @RedLock} stops the start of the application, and the fix.
 */
final class InvalidRedLockFailureAnalyzer extends AbstractFailureAnalyzer<InvalidRedLockException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidRedLockException cause) {
		return new FailureAnalysis(cause.description(), cause.action(), cause);
	}

}

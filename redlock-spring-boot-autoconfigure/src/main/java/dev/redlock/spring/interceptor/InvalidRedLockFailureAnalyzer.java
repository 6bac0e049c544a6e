package dev.redlock.spring.interceptor;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says which {@code @RedLock} keeps the application from starting, and what to write.
 */
final class InvalidRedLockFailureAnalyzer extends AbstractFailureAnalyzer<InvalidRedLockException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidRedLockException cause) {
		return new FailureAnalysis(cause.description(), cause.action(), cause);
	}

}

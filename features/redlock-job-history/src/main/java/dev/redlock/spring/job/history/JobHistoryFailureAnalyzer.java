package dev.redlock.spring.job.history;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains why the history of jobs cannot be written.
 */
class JobHistoryFailureAnalyzer extends AbstractFailureAnalyzer<JobHistoryUnusableException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, JobHistoryUnusableException cause) {
		return new FailureAnalysis(cause.description(), cause.action(), cause);
	}

}

package dev.redlock.sample.browser;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Skips tests where there is no browser, but not where they are what the build is for:
 * there they fail.
 */
class NeedsBrowser implements ExecutionCondition {

	private static final Logger log = LoggerFactory.getLogger(NeedsBrowser.class);

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		boolean required = "required".equals(System.getProperty("redlock.browser"))
				|| Boolean.parseBoolean(System.getenv("CI"));
		if (required || Browser.isHere()) {
			return ConditionEvaluationResult.enabled("There is a browser, or there has to be one");
		}
		log.warn("{} is skipped. {}", context.getDisplayName(), Browser.MISSING);
		return ConditionEvaluationResult.disabled(Browser.MISSING);
	}

}

package dev.redlock.cited;

import java.util.Arrays;

import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs some tests in a process of their own.
 */
final class CitedTests {

	static final int PASSED = 10;

	static final int FAILED = 11;

	/** A test is missing, or was skipped. */
	static final int NOT_RUN = 12;

	private CitedTests() {
	}

	/**
	 * Arguments: the full names of test methods.
	 */
	public static void main(String[] tests) {
		int worst = PASSED;
		for (String test : tests) {
			worst = Math.max(worst, run(test));
		}
		System.exit(worst);
	}

	private static int run(String test) {
		int dot = test.lastIndexOf('.');
		String method = test.substring(dot + 1);
		SummaryGeneratingListener listener = new SummaryGeneratingListener();
		PostDiscoveryFilter named = (descriptor) -> FilterResult.includedIf(descriptor.getSource()
			.filter(MethodSource.class::isInstance)
			.map((source) -> ((MethodSource) source).getMethodName().equals(method))
			.orElse(true));
		LauncherFactory.create()
			.execute(LauncherDiscoveryRequestBuilder.request()
				.selectors(DiscoverySelectors.selectClass(test.substring(0, dot)))
				.filters(named)
				.build(), listener);
		TestExecutionSummary summary = listener.getSummary();
		summary.getFailures().forEach((failure) -> failure.getException().printStackTrace());
		System.out.println(test + Arrays.asList(summary.getTestsSucceededCount(), summary.getTestsFailedCount()));
		if (summary.getTestsFailedCount() > 0) {
			return FAILED;
		}
		return (summary.getTestsSucceededCount() > 0) ? PASSED : NOT_RUN;
	}

}

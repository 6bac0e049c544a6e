package dev.redlock.test;

import org.junit.jupiter.api.extension.ExtensionContext;

import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.junit.jupiter.SpringExtension;
import org.springframework.util.ClassUtils;

/**
 * Asks Spring's test support, where it is on the class path.
 */
final class SpringTests {

	private static final boolean PRESENT = ClassUtils.isPresent(
			"org.springframework.test.context.junit.jupiter.SpringExtension", SpringTests.class.getClassLoader());

	private SpringTests() {
	}

	/**
	 * Whether a test class has an application context.
	 */
	static boolean manage(Class<?> testClass) {
		return PRESENT && Support.manages(testClass);
	}

	/**
	 * The bean of the application context, or the complaint that it lacks one.
	 */
	static <T> T bean(ExtensionContext context, Class<T> type, String complaint) {
		return Support.bean(context, type, complaint);
	}

	/**
	 * Loaded only where Spring's test support is on the class path.
	 */
	private static final class Support {

		private static boolean manages(Class<?> testClass) {
			return TestContextAnnotationUtils.hasAnnotation(testClass, BootstrapWith.class)
					|| TestContextAnnotationUtils.hasAnnotation(testClass, ContextConfiguration.class);
		}

		private static <T> T bean(ExtensionContext context, Class<T> type, String complaint) {
			return SpringExtension.getApplicationContext(context).getBeanProvider(type).getIfAvailable(() -> {
				throw new IllegalStateException(complaint);
			});
		}

	}

}

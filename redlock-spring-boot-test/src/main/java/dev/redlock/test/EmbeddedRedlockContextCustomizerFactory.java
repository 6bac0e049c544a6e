package dev.redlock.test;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Turns the embedded nodes on in the application context of a test class with
 * {@link EmbeddedRedlock}.
 */
class EmbeddedRedlockContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		EmbeddedRedlock annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass, EmbeddedRedlock.class);
		return (annotation != null) ? new EmbeddedNodes(annotation.nodes()) : null;
	}

	/**
	 * A record, as equal customizers let test classes share a context.
	 *
	 * @param count how many nodes there are
	 */
	record EmbeddedNodes(int count) implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
			TestPropertyValues.of("redlock.embedded.enabled=true", "redlock.embedded.nodes=" + this.count)
				.applyTo(context);
		}

	}

}

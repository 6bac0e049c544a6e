package dev.redlock.test;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.TestPropertySourceUtils;

/**
 * Sets the properties by which embedded or simulated Redis servers start in the
 * application context of a test.
 */
class RedlockContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		EmbeddedRedlock embedded = TestContextAnnotationUtils.findMergedAnnotation(testClass, EmbeddedRedlock.class);
		ScriptedRedlock scripted = TestContextAnnotationUtils.findMergedAnnotation(testClass, ScriptedRedlock.class);
		List<String> kinds = Stream.of(EmbeddedRedlock.class, ScriptedRedlock.class, WithoutLocks.class)
			.filter((kind) -> TestContextAnnotationUtils.hasAnnotation(testClass, kind))
			.map((kind) -> "@" + kind.getSimpleName())
			.toList();
		if (kinds.size() > 1) {
			throw new IllegalStateException(testClass.getName() + " has " + String.join(" and ", kinds)
					+ ", perhaps on a superclass or an enclosing class, but only one of these annotations can decide "
					+ "how locks work. Remove the others.");
		}
		if (embedded != null) {
			return new Nodes(
					List.of("dev.redlock.test.context=embedded", "redlock.embedded.nodes=" + embedded.nodes()));
		}
		return new Nodes(
				(scripted != null) ? List.of("redlock.test.mode=scripted", "redlock.test.nodes=" + scripted.nodes())
						: List.of("dev.redlock.test.context=plain"));
	}

	/**
	 * This customizer is a record, because Spring lets test classes with equal
	 * customizers share an application context.
	 */
	record Nodes(List<String> properties) implements ContextCustomizer {

		/**
		 * A lock that a test leaves behind neither delays the end of the context nor
		 * disturbs later tests.
		 */
		private static final Map<String, Object> DEFAULTS = Map.of("redlock.shutdown-timeout", "0s",
				"redlock.shutdown.release-running", "true");

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
			context.getEnvironment().getPropertySources().addLast(new MapPropertySource("redlockTest", DEFAULTS));
			TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context, this.properties.toArray(String[]::new));
		}

	}

}

package dev.redlock.test;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Tells the application context of a test that it is one, so that embedded nodes may
 * start in it, and turns on the nodes that a test class asks for with
 * {@link EmbeddedRedlock} or {@link ScriptedRedlock}.
 */
class RedlockContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		EmbeddedRedlock embedded = TestContextAnnotationUtils.findMergedAnnotation(testClass, EmbeddedRedlock.class);
		ScriptedRedlock scripted = TestContextAnnotationUtils.findMergedAnnotation(testClass, ScriptedRedlock.class);
		if (embedded != null && scripted != null) {
			throw new IllegalStateException(testClass.getName() + " has both @EmbeddedRedlock and @ScriptedRedlock, and"
					+ " a lock is over the nodes of one of them. Remove one.");
		}
		if (embedded != null) {
			return new Nodes(List.of("redlock.test.context=embedded", "redlock.embedded.nodes=" + embedded.nodes()));
		}
		return new Nodes(
				(scripted != null) ? List.of("redlock.test.mode=scripted", "redlock.test.nodes=" + scripted.nodes())
						: List.of("redlock.test.context=plain"));
	}

	/**
	 * A record, as equal customizers let test classes share a context.
	 *
	 * @param properties what turns the nodes on
	 */
	record Nodes(List<String> properties) implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
			Map<String, Object> values = new HashMap<>();
			this.properties.forEach((line) -> values.put(line.split("=")[0], line.split("=")[1]));
			context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("redlock nodes", values));
		}

	}

}

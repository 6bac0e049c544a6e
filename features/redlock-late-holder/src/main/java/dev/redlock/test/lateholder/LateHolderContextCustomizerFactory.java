package dev.redlock.test.lateholder;

import java.util.List;
import java.util.stream.Stream;

import dev.redlock.test.EmbeddedRedlock;
import dev.redlock.test.ScriptedRedlock;
import dev.redlock.test.WithoutLocks;
import dev.redlock.test.lateholder.AutoConfigureLateHolder.Servers;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.TestPropertySourceUtils;

/**
 * Sets up the application context of a test with {@link AutoConfigureLateHolder}.
 */
class LateHolderContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		AutoConfigureLateHolder annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureLateHolder.class);
		if (annotation == null) {
			return null;
		}
		Stream.of(EmbeddedRedlock.class, ScriptedRedlock.class, WithoutLocks.class)
			.filter((other) -> TestContextAnnotationUtils.hasAnnotation(testClass, other))
			.findFirst()
			.ifPresent((other) -> {
				throw new IllegalStateException(testClass.getName() + " has @AutoConfigureLateHolder and @"
						+ other.getSimpleName() + ", and each of them decides how locks work. Remove @"
						+ other.getSimpleName() + "; @AutoConfigureLateHolder(servers = EMBEDDED) has real servers.");
			});
		return new Customizer(annotation.servers());
	}

	/**
	 * This customizer is a record, because Spring lets test classes with equal
	 * customizers share an application context.
	 */
	record Customizer(Servers servers) implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
			boolean inMemory = this.servers == Servers.IN_MEMORY;
			TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context,
					inMemory ? "redlock.test.mode=scripted" : "redlock.embedded.enabled=true");
			AnnotatedBeanDefinitionReader beans = new AnnotatedBeanDefinitionReader(
					(BeanDefinitionRegistry) context.getBeanFactory());
			beans.register(LateHolderConfiguration.class);
			beans.registerBean(inMemory ? InMemoryConfiguration.class : EmbeddedServers.class, "lateHolderSetup");
		}

	}

}

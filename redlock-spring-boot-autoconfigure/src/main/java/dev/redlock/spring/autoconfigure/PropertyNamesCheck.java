package dev.redlock.spring.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.NativeDetector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Fails the start if a property below {@code redlock} would silently be ignored.
 * <ul>
 * <li>Its name is unknown, and nearly that of a known one, or it is below the instances
 * or their defaults. Other unknown properties may belong to the application. Environment
 * variables are not checked for this, because their names do not distinguish dots from
 * dashes.</li>
 * <li>It is below an instance that also has a URL in place of its properties.</li>
 * </ul>
 */
final class PropertyNamesCheck implements BeanFactoryPostProcessor {

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("redlock");

	private static final ConfigurationPropertyName INSTANCES = ROOT.append("instances");

	private static final ConfigurationPropertyName DEFAULTS = ROOT.append("defaults");

	/**
	 * Properties that only conditions read, or that belong to an auto-configuration that
	 * may be absent.
	 */
	private static final List<String> OF_CONDITIONS = List.of("redlock.enabled", "redlock.lock-registry.enabled",
			"redlock.shedlock.enabled", "redlock.embedded.enabled");

	private final ConfigurableEnvironment environment;

	PropertyNamesCheck(ConfigurableEnvironment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		// A native image cannot list the components of records. There, the build on the
		// JVM has checked the spelling.
		KnownProperties known = NativeDetector.inNativeImage() ? new KnownProperties() : known(beanFactory);
		Set<ConfigurationPropertyName> all = new TreeSet<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources
			.from(this.environment.getPropertySources())) {
			if (source instanceof IterableConfigurationPropertySource names) {
				List<ConfigurationPropertyName> ours = names.stream().filter(ROOT::isAncestorOf).toList();
				if (!(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
					ours.forEach((name) -> checkSpelling(name, known));
				}
				all.addAll(ours);
			}
		}
		all.stream().filter(INSTANCES::isParentOf).forEach((instance) -> checkNothingBelow(instance, all));
	}

	private static void checkNothingBelow(ConfigurationPropertyName instance, Set<ConfigurationPropertyName> all) {
		all.stream().filter(instance::isAncestorOf).findFirst().ifPresent((ignored) -> {
			throw new InvalidRedlockConfigurationException(instance.toString(),
					"it has a URL, and '" + ignored + "' below it would be ignored.",
					"Write the URL as " + instance + ".url, or remove one of them.");
		});
	}

	private static void checkSpelling(ConfigurationPropertyName name, KnownProperties known) {
		known.unknownPart(name).ifPresent((unknown) -> {
			if (unknown.meant() != null) {
				throw new InvalidRedlockConfigurationException(name.toString(), "there is no property of this name.",
						"Did you mean '" + unknown.meant()
								+ "'? Correct the name. If it is a property of your application, give it another name,"
								+ " so that it cannot be confused with that one.");
			}
			if (INSTANCES.isAncestorOf(name) || DEFAULTS.isAncestorOf(name)) {
				throw new InvalidRedlockConfigurationException(name.toString(),
						"there is no property '" + unknown.part() + "' here.",
						"Remove it, or see the reference of properties for the right name.");
			}
		});
	}

	private static KnownProperties known(ConfigurableListableBeanFactory beanFactory) {
		KnownProperties known = new KnownProperties();
		OF_CONDITIONS.forEach((name) -> known.add(name, ResolvableType.forClass(boolean.class)));
		for (String bean : beanFactory.getBeanDefinitionNames()) {
			// Spring Boot names such a bean after the prefix and the class.
			Class<?> type = bean.startsWith(ROOT.toString()) ? beanFactory.getType(bean, false) : null;
			MergedAnnotation<ConfigurationProperties> annotation = (type != null)
					? MergedAnnotations.from(type).get(ConfigurationProperties.class) : MergedAnnotation.missing();
			if (annotation.isPresent()) {
				known.add(annotation.getString("prefix"), ResolvableType.forClass(type));
			}
		}
		return known;
	}

}

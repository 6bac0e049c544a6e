package dev.redlock.spring.autoconfigure.internal.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.io.support.PropertiesLoaderUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Rejects short durations without a unit, and unknown properties below {@code redlock}.
 * With a wrong key prefix or max-ttl, two processes could hold the same lock at the same
 * time, and an ignored server would not vote on locks.
 * <p>
 * A module with properties of its own lists their names, one a line, in its file
 * {@value #NAMES}.
 * <p>
 * Environment variables and system properties are checked only below
 * {@code redlock.instances}, because others may belong to other programs.
 */
public final class RedlockPropertiesCheck extends NoUnboundElementsBindHandler {

	private static final String NAMES = "META-INF/redlock-property-names";

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("redlock");

	private static final ConfigurationPropertyName INSTANCES = ROOT.append("instances");

	private static final Duration SHORTEST_WITHOUT_UNIT = Duration.ofMillis(100);

	/**
	 * The instance properties that were bound, with each dash as a dot, because
	 * environment variables write both as underscores.
	 */
	private final Set<String> bound = new HashSet<>();

	private final Supplier<List<ConfigurationPropertyName>> namesOfModules = SingletonSupplier
		.of(RedlockPropertiesCheck::namesOfModules);

	private final UnboundElementsSourceFilter sources = new UnboundElementsSourceFilter();

	private final BindHandler parent;

	public RedlockPropertiesCheck(BindHandler parent) {
		super(parent);
		this.parent = parent;
	}

	/**
	 * Rejects a small number without a unit: 30 means 30 ms, and was perhaps meant as
	 * seconds.
	 */
	@Override
	public @Nullable Object onSuccess(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
			Object result) {
		if (INSTANCES.isAncestorOf(name)) {
			this.bound.add(name.toString().replace('-', '.'));
		}
		ConfigurationProperty property = context.getConfigurationProperty();
		if (ROOT.isAncestorOf(name) && result instanceof Duration duration && property != null && !duration.isZero()
				&& duration.compareTo(SHORTEST_WITHOUT_UNIT) < 0) {
			String text = String.valueOf(duration.toMillis());
			if (property.getValue().toString().strip().matches("\\+?\\d+")) {
				throw new InvalidRedlockConfigurationException(name.toString(),
						text + " is " + text + " milliseconds, and was perhaps meant as seconds.",
						"Write " + text + "s or " + text + "ms.");
			}
		}
		return super.onSuccess(name, target, context, result);
	}

	@Override
	public void onFinish(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
			@Nullable Object result) throws Exception {
		this.parent.onFinish(name, target, context, result);
		if (!name.equals(ROOT)) {
			return;
		}
		try {
			super.onFinish(name, target, context, result);
		}
		catch (UnboundConfigurationPropertiesException ex) {
			ex.getUnboundProperties().forEach(this::check);
		}
	}

	private void check(ConfigurationProperty unbound) {
		ConfigurationPropertyName name = unbound.getName();
		boolean own = unbound.getSource() == null || this.sources.apply(unbound.getSource());
		if (INSTANCES.isAncestorOf(name)) {
			boolean meant = !unbound.getValue().toString().isEmpty() && !this.bound.contains(name.toString());
			if (own || meant) {
				throw new InvalidRedlockConfigurationException(name.toString(),
						"the property is empty, there is no property of this name, or the instance has a single value.",
						"Correct or remove the property. The page docs/configuration.md has the names of all "
								+ "properties. The URL of an instance is redlock.instances.<name>.url, so that the instance "
								+ "can have other properties too.");
			}
		}
		else if (own && !this.namesOfModules.get().contains(name)) {
			throw new InvalidRedlockConfigurationException(name.toString(), "there is no property of this name.",
					"Correct or remove the property, or add the module that reads the property. The page "
							+ "docs/configuration.md has the names of all properties. Properties of an application need "
							+ "another prefix.");
		}
	}

	/**
	 * Names are compared as names of properties, because an application may write
	 * {@code clockDifference} too.
	 */
	private static List<ConfigurationPropertyName> namesOfModules() {
		try {
			return PropertiesLoaderUtils.loadAllProperties(NAMES, RedlockPropertiesCheck.class.getClassLoader())
				.stringPropertyNames()
				.stream()
				.map(ConfigurationPropertyName::of)
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public static final class Names implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.resources().registerPattern(NAMES);
		}

	}

}

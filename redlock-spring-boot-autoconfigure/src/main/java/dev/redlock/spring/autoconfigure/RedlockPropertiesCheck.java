package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/**
 * Ends the start because of a property below {@code redlock} that would be ignored or
 * misunderstood: one that {@link RedlockProperties} leave unbound, a value in place of a
 * group, a duration without a unit. Spring Boot's own strict binding would also refuse
 * the properties of features, which are bound by classes of their own, and show the
 * value, which may be a password.
 * <p>
 * Like Spring Boot, it does not judge environment variables and system properties, whose
 * names may belong to others. Below {@code redlock.instances} it does, because a server
 * that is ignored does not vote.
 */
final class RedlockPropertiesCheck extends NoUnboundElementsBindHandler {

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("redlock");

	private static final ConfigurationPropertyName INSTANCES = ROOT.append("instances");

	private static final int ELEMENTS_OF_AN_INSTANCE = 3;

	private static final Duration SHORTEST_WITHOUT_UNIT = Duration.ofMillis(100);

	/**
	 * Properties of features, which may be turned off or absent.
	 */
	private static final List<ConfigurationPropertyName> FEATURES = Stream
		.of("embedded.enabled", "embedded.nodes", "embedded.restart-guard", "enabled", "endpoint.release-enabled",
				"jobs.history.enabled", "jobs.history.initialize-schema", "jobs.history.retention", "leader.ttl",
				"lock-registry.enabled", "observation.include-resources", "shedlock.enabled", "test.context",
				"test.mode", "test.nodes", "test.redis", "web.problem-details.enabled",
				"web.problem-details.retry-after")
		.map(ROOT::append)
		.toList();

	/**
	 * The properties of instances that are bound, with dots for dashes: a variable may
	 * have an underscore for each of them.
	 */
	private final Set<String> bound = new HashSet<>();

	private final UnboundElementsSourceFilter sources = new UnboundElementsSourceFilter();

	private final BindHandler parent;

	private final ListableBeanFactory beans;

	RedlockPropertiesCheck(BindHandler parent, ListableBeanFactory beans) {
		super(parent);
		this.parent = parent;
		this.beans = beans;
	}

	/**
	 * Refuses a value in place of a group of properties. Spring Boot ignores it if one of
	 * the group is set, too.
	 */
	@Override
	public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
		Class<?> group = target.getType().resolve(Object.class);
		if (ROOT.isAncestorOf(name) && group.isRecord() && group != RedlockInstance.class
				&& group.getPackageName().startsWith("dev.redlock.") && isSet(name, context)) {
			throw valueOfGroup(name,
					Stream.of(group.getRecordComponents())
						.filter((property) -> !property.getType().isRecord())
						.map((property) -> name.append(DataObjectPropertyName.toDashedForm(property.getName()))));
		}
		return super.onStart(name, target, context);
	}

	/**
	 * Refuses a duration without a unit that is perhaps meant as seconds, as annotations
	 * do.
	 */
	@Override
	public @Nullable Object onSuccess(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
			Object result) {
		if (INSTANCES.isAncestorOf(name)) {
			this.bound.add(name.toString().replace('-', '.'));
		}
		ConfigurationProperty property = context.getConfigurationProperty();
		if (ROOT.isAncestorOf(name) && result instanceof Duration duration && property != null) {
			String text = text(property);
			if (!duration.isZero() && duration.compareTo(SHORTEST_WITHOUT_UNIT) < 0 && text.matches("\\+?\\d+")) {
				throw new InvalidRedlockConfigurationException(name.toString(),
						text + " is " + text + " milliseconds, and perhaps meant as seconds.",
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
			ex.getUnboundProperties().forEach((unbound) -> check(unbound, context));
		}
	}

	private void check(ConfigurationProperty unbound, BindContext context) {
		ConfigurationPropertyName name = unbound.getName();
		ConfigurationPropertyName instance = name.chop(ELEMENTS_OF_AN_INSTANCE);
		if (INSTANCES.isParentOf(instance) && instance.isAncestorOf(name) && isSet(instance, context)) {
			throw new InvalidRedlockConfigurationException(instance.toString(),
					"it has a URL, and '" + name + "' below it would be ignored.",
					"Write the URL as " + instance + ".url, or remove one of them.");
		}
		boolean group = FEATURES.stream().anyMatch(name::isAncestorOf);
		boolean own = unbound.getSource() == null || this.sources.apply(unbound.getSource());
		boolean empty = text(unbound).isEmpty();
		boolean judged = own || (INSTANCES.isAncestorOf(name) && !empty && !this.bound.contains(name.toString()));
		if (judged && FEATURES.stream().noneMatch((feature) -> covers(feature, name))
				&& otherPrefixes().noneMatch((prefix) -> covers(prefix, name))) {
			throw group ? valueOfGroup(name, Stream.empty()) : new InvalidRedlockConfigurationException(name.toString(),
					empty ? "it is empty, or there is no property of this name." : "there is no property of this name.",
					"Correct or remove it. The page docs/configuration.md has the names. A property of your application"
							+ " needs a name that does not begin with 'redlock.'.");
		}
	}

	private static InvalidRedlockConfigurationException valueOfGroup(ConfigurationPropertyName name,
			Stream<ConfigurationPropertyName> properties) {
		return new InvalidRedlockConfigurationException(name.toString(),
				"it has a value of its own, and only the properties below it have an effect.",
				Stream.concat(properties, FEATURES.stream().filter(name::isAncestorOf))
					.distinct()
					.map(ConfigurationPropertyName::toString)
					.collect(Collectors.joining(", ", "Set one of them instead: ", ".")));
	}

	private static boolean isSet(ConfigurationPropertyName name, BindContext context) {
		for (ConfigurationPropertySource source : context.getSources()) {
			ConfigurationProperty property = source.getConfigurationProperty(name);
			if (property != null && !"".equals(property.getValue())) {
				return true;
			}
		}
		return false;
	}

	private String text(ConfigurationProperty property) {
		return this.beans.getBean(Environment.class).resolvePlaceholders(property.getValue().toString()).strip();
	}

	private static boolean covers(ConfigurationPropertyName prefix, ConfigurationPropertyName name) {
		return prefix.equals(name) || prefix.isAncestorOf(name);
	}

	/**
	 * Returns the prefixes below this one that classes of others bind.
	 */
	private Stream<ConfigurationPropertyName> otherPrefixes() {
		return Stream.of(this.beans.getBeanNamesForAnnotation(ConfigurationProperties.class))
			.flatMap((bean) -> Stream.ofNullable(this.beans.findAnnotationOnBean(bean, ConfigurationProperties.class)))
			.filter((annotation) -> annotation.prefix().startsWith("redlock."))
			.map((annotation) -> ConfigurationPropertyName.of(annotation.prefix()))
			.filter((prefix) -> FEATURES.stream().noneMatch(prefix::isAncestorOf));
	}

}

package dev.redlock.spring.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * Rejects durations without a unit, and misspelled properties below {@code redlock}. With
 * a wrong key prefix or max-ttl, two processes could hold the same lock at the same time.
 * An unknown property that resembles no existing property only causes a warning, so that
 * an older version accepts a newer configuration. Below {@code redlock.instances}, each
 * unknown property is rejected, because an ignored server would not vote on locks.
 * <p>
 * Environment variables and system properties are checked only below
 * {@code redlock.instances}, because others may belong to other programs.
 */
final class RedlockPropertiesCheck extends NoUnboundElementsBindHandler {

	private static final Logger logger = LoggerFactory.getLogger(RedlockPropertiesCheck.class);

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("redlock");

	private static final ConfigurationPropertyName INSTANCES = ROOT.append("instances");

	private static final Duration SHORTEST_WITHOUT_UNIT = Duration.ofMillis(100);

	private static final int MOST_TYPOS = 3;

	private static final int LETTERS_FOR_A_TYPO = 6;

	private static final Pattern NAME = Pattern.compile("\"name\"\\s*:\\s*\"(redlock\\.[^\"]+)\"");

	/**
	 * The instance properties that were bound, with each dash as a dot, because
	 * environment variables write both as underscores.
	 */
	private final Set<String> bound = new HashSet<>();

	private final UnboundElementsSourceFilter sources = new UnboundElementsSourceFilter();

	private final BindHandler parent;

	RedlockPropertiesCheck(BindHandler parent) {
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
			List<String> known = knownProperties();
			ex.getUnboundProperties().forEach((unbound) -> check(unbound, known));
		}
	}

	private void check(ConfigurationProperty unbound, List<String> known) {
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
		else if (own && known.stream().map(ConfigurationPropertyName::of).noneMatch((each) -> covers(each, name))) {
			known.stream()
				.filter((each) -> typos(each, name) <= MOST_TYPOS)
				.min(Comparator.comparingInt((each) -> typos(each, name)))
				.ifPresent((nearest) -> {
					throw new InvalidRedlockConfigurationException(name.toString(),
							"there is no property of this name.",
							"Did you mean '" + nearest + "'? Correct or remove the property.");
				});
			logger.warn("No known component reads the property '{}'", name);
		}
	}

	/**
	 * Returns the edit distance of two property names, or a large number for more than
	 * one typo in six letters. Compares no more dot-separated parts than the shorter name
	 * has, so that {@code redlock.instnces.a.host} resembles {@code redlock.instances}.
	 */
	private static int typos(String known, ConfigurationPropertyName name) {
		ConfigurationPropertyName other = ConfigurationPropertyName.of(known);
		int elements = Math.min(other.getNumberOfElements(), name.getNumberOfElements());
		String from = other.chop(elements).toString().replace("-", "");
		String to = name.chop(elements).toString().replace("-", "");
		int[] row = IntStream.rangeClosed(0, to.length()).toArray();
		for (int i = 1; i <= from.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= to.length(); j++) {
				int replaced = diagonal + ((from.charAt(i - 1) == to.charAt(j - 1)) ? 0 : 1);
				diagonal = row[j];
				row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
			}
		}
		return (row[to.length()] <= to.length() / LETTERS_FOR_A_TYPO) ? row[to.length()] : Integer.MAX_VALUE;
	}

	private static List<String> knownProperties() {
		try {
			return Stream
				.of(new PathMatchingResourcePatternResolver()
					.getResources("classpath*:META-INF/spring-configuration-metadata.json"))
				.flatMap(RedlockPropertiesCheck::propertyNames)
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<String> propertyNames(Resource metadata) {
		try {
			String text = metadata.getContentAsString(StandardCharsets.UTF_8);
			int properties = Math.max(0, text.indexOf("\"properties\""));
			return NAME.matcher(text.substring(properties)).results().map((name) -> name.group(1));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static boolean covers(ConfigurationPropertyName prefix, ConfigurationPropertyName name) {
		return prefix.equals(name) || prefix.isAncestorOf(name);
	}

}

package dev.redlock.docs;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.redlock.docs.ConfigurationMetadata.Property;
import dev.redlock.docs.MarkdownPage.Fence;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * YAML on a page is what Spring Boot loads, and names properties that exist.
 */
class YamlTests {

	private static final Pattern INSTANCE = Pattern.compile("redlock\\.instances\\.[^.]+\\.(.+?)(\\[\\d+])?");

	private static final Pattern URL_OF_INSTANCE = Pattern.compile("redlock\\.instances\\.[^.]+");

	@Test
	void everyYamlBlockLoadsAndNamesPropertiesThatExist() throws Exception {
		Set<String> known = ConfigurationMetadata.properties().stream().map(Property::name).collect(Collectors.toSet());
		Collection<String> instance = ConfigurationReferenceTests.settings("",
				ConfigurationReferenceTests.properties("RedlockInstance"));
		List<String> unknown = new ArrayList<>();
		for (Fence fence : blocks()) {
			for (PropertySource<?> source : load(fence)) {
				for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
					Matcher matcher = INSTANCE.matcher(name);
					boolean exists = matcher.matches() ? instance.contains(matcher.group(1))
							: known.contains(name) || URL_OF_INSTANCE.matcher(name).matches();
					if (name.startsWith("redlock.") && !exists) {
						unknown.add(fence.place() + " sets " + name);
					}
				}
				bind(source);
			}
		}
		assertThat(unknown).isEmpty();
		assertThat(blocks()).isNotEmpty();
	}

	/**
	 * A value that cannot be converted throws.
	 */
	private static void bind(PropertySource<?> source) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new MapPropertySource("placeholders", Map.of("REDIS_PASSWORD", "secret")));
		environment.getPropertySources().addFirst(withUrlsAsProperties((EnumerablePropertySource<?>) source));
		ConfigurationPropertySources.attach(environment);
		Binder.get(environment).bind("redlock", ConfigurationReferenceTests.properties("RedlockProperties"));
	}

	/**
	 * Writes a URL in place of an instance as its property, as a converter of the
	 * application context does.
	 */
	private static PropertySource<?> withUrlsAsProperties(EnumerablePropertySource<?> source) {
		Map<String, Object> properties = new LinkedHashMap<>();
		for (String name : source.getPropertyNames()) {
			boolean url = URL_OF_INSTANCE.matcher(name).matches();
			properties.put(url ? name + ".url" : name, source.getProperty(name));
		}
		return new MapPropertySource(source.getName(), properties);
	}

	private static List<PropertySource<?>> load(Fence fence) throws Exception {
		ByteArrayResource resource = new ByteArrayResource(fence.text().getBytes(StandardCharsets.UTF_8),
				fence.place());
		return new YamlPropertySourceLoader().load(fence.place(), resource);
	}

	private static List<Fence> blocks() {
		return Repository.pages()
			.stream()
			.flatMap((page) -> page.fences().stream())
			.filter((fence) -> fence.language().equals("yaml"))
			.toList();
	}

}

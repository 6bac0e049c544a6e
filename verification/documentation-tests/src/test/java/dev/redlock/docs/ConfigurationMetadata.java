package dev.redlock.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The properties of this project, as the annotation processor wrote them down for IDEs.
 */
final class ConfigurationMetadata {

	private static final String FILE = "META-INF/spring-configuration-metadata.json";

	private ConfigurationMetadata() {
	}

	static List<Property> properties() {
		try {
			List<Property> properties = new ArrayList<>();
			for (URL url : Collections.list(ConfigurationMetadata.class.getClassLoader().getResources(FILE))) {
				if (url.getPath().contains("/redlock-")) {
					properties.addAll(read(url));
				}
			}
			properties.sort(Comparator.comparing(Property::name));
			return properties;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@SuppressWarnings("unchecked")
	private static List<Property> read(URL url) throws IOException {
		try (InputStream stream = url.openStream()) {
			// JSON is YAML, but for this escape.
			String json = new String(stream.readAllBytes(), StandardCharsets.UTF_8).replace("\\/", "/");
			Map<String, Object> root = new Yaml(new SafeConstructor(new LoaderOptions())).load(json);
			List<Property> properties = new ArrayList<>();
			for (Object each : (List<Object>) root.getOrDefault("properties", List.of())) {
				Property property = Property.of((Map<String, Object>) each);
				// Spring Boot gives each endpoint this property.
				if (!property.name().endsWith(".cache.time-to-live")) {
					properties.add(property);
				}
			}
			return properties;
		}
	}

	/**
	 * One property.
	 *
	 * @param name its name
	 * @param type the class of its value
	 * @param description what it is, for people
	 * @param defaultValue the value when nobody sets it
	 */
	record Property(String name, @Nullable String type, @Nullable String description, @Nullable String defaultValue) {

		static Property of(Map<String, Object> json) {
			return new Property(String.valueOf(json.get("name")), text(json.get("type")), text(json.get("description")),
					text(json.get("defaultValue")));
		}

		private static @Nullable String text(@Nullable Object value) {
			return (value != null) ? String.valueOf(value) : null;
		}

	}

}

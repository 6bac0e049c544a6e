package dev.redlock.docs;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import dev.redlock.docs.ConfigurationMetadata.Property;
import org.jspecify.annotations.Nullable;

/**
 * Writes the tables of all properties: one for those of the lock itself, one for each
 * other group.
 */
final class ConfigurationReference {

	private ConfigurationReference() {
	}

	static String of(List<Property> properties) {
		Map<String, StringBuilder> tables = new TreeMap<>();
		for (Property property : properties) {
			tables.computeIfAbsent(group(property.name()), ConfigurationReference::head).append(row(property));
		}
		return String.join("\n", tables.values()).stripTrailing();
	}

	/**
	 * All of redlock.* but the embedded nodes belongs together; what else there is goes
	 * by its first two words.
	 */
	private static String group(String name) {
		if (name.startsWith("redlock.") && !name.startsWith("redlock.embedded.")) {
			return "redlock";
		}
		String[] words = name.split("\\.");
		return (words.length > 2) ? words[0] + "." + words[1] : words[0];
	}

	private static StringBuilder head(String group) {
		String title = "redlock".equals(group) ? "The lock" : "`" + group + ".*`";
		return new StringBuilder("### ").append(title)
			.append("\n\n| property | type | default | |\n|---|---|---|---|\n");
	}

	private static String row(Property property) {
		return "| `" + property.name() + "` | " + type(property) + " | " + value(property.defaultValue()) + " | "
				+ String.valueOf(property.description()).replace("|", "\\|").replaceAll("\\s+", " ") + " |\n";
	}

	/**
	 * Words, where the default depends on something, are no code.
	 */
	private static String value(@Nullable String value) {
		if (value == null || value.isEmpty() || value.contains(" ")) {
			return (value != null) ? value : "";
		}
		return "`" + value + "`";
	}

	private static String type(Property property) {
		if (property.isMap()) {
			return "map by name";
		}
		String type = String.valueOf(property.type());
		String simple = type.substring(type.lastIndexOf('.') + 1);
		return switch (simple) {
			case "Integer", "Long" -> "number";
			case "Double" -> "decimal";
			case "Boolean" -> "true or false";
			case "String" -> "text";
			default -> simple.substring(simple.lastIndexOf('$') + 1).toLowerCase(Locale.ROOT);
		};
	}

}

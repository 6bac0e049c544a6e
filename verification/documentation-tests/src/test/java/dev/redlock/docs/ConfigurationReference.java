package dev.redlock.docs;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.redlock.docs.ConfigurationMetadata.Property;
import org.jspecify.annotations.Nullable;

/**
 * Writes the tables of all properties below {@code redlock}: one for those of the lock
 * itself, one for each other group. The properties below {@code management} are those
 * that every endpoint has.
 */
final class ConfigurationReference {

	private static final List<String> ADVANCED = List.of("redlock.allow-eviction", "redlock.clock-drift-factor",
			"redlock.connect-timeout", "redlock.fencing.", "redlock.lock-delay", "redlock.node-timeout",
			"redlock.observation.", "redlock.release.", "redlock.retry.", "redlock.shutdown-timeout", "redlock.test.");

	private static final List<String> OWN_TABLE = List.of("redlock.defaults.", "redlock.embedded.");

	private ConfigurationReference() {
	}

	static String of(List<Property> properties) {
		Map<String, StringBuilder> tables = new TreeMap<>();
		for (Property property : properties) {
			if (!property.name().startsWith("redlock.")) {
				continue;
			}
			tables.computeIfAbsent(group(property.name()), ConfigurationReference::head).append(row(property));
		}
		return String.join("\n", tables.values()).stripTrailing();
	}

	/**
	 * Returns the table of a property. The lock has one for what every user may meet, and
	 * one for the rest. Other properties go by their first two words.
	 */
	private static String group(String name) {
		if (ADVANCED.stream().anyMatch(name::startsWith)) {
			return "redlock.advanced";
		}
		if (OWN_TABLE.stream().noneMatch(name::startsWith)) {
			return "redlock";
		}
		String[] words = name.split("\\.");
		return words[0] + "." + words[1];
	}

	private static StringBuilder head(String group) {
		String title = switch (group) {
			case "redlock" -> "The lock";
			case "redlock.advanced" -> "The lock, advanced";
			default -> "`" + group + ".*`";
		};
		return new StringBuilder("### ").append(title).append("\n\n| property | default | |\n|---|---|---|\n");
	}

	private static String row(Property property) {
		return "| `" + property.name() + "` | " + value(property.defaultValue()) + " | "
				+ String.valueOf(property.description()).replace("|", "\\|").replaceAll("\\s+", " ") + " |\n";
	}

	private static String value(@Nullable String value) {
		return (value != null && !value.isEmpty()) ? "`" + value + "`" : "";
	}

}

package dev.redlock.docs;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import dev.redlock.docs.ConfigurationMetadata.Property;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.support.PropertiesLoaderUtils;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The reference of all properties is made from the metadata of the code.
 */
class ConfigurationReferenceTests {

	private static final Path PAGE = Repository.ROOT.resolve("docs/configuration.md");

	private static final String BEGIN = "<!-- generated from the configuration metadata -->";

	private static final String END = "<!-- end of what is generated -->";

	@Test
	void referenceIsWhatTheMetadataSay() {
		String page = Repository.read(PAGE);
		assertThat(page).containsOnlyOnce(BEGIN).containsOnlyOnce(END);
		int begin = page.indexOf(BEGIN) + BEGIN.length();
		int end = page.indexOf(END);
		String generated = ConfigurationReference.of(ConfigurationMetadata.properties());
		if (Repository.isWriting()) {
			Repository.write(PAGE, page.substring(0, begin) + "\n\n" + generated + "\n\n" + page.substring(end));
			return;
		}
		assertThat(page.substring(begin, end).strip())
			.as("docs/configuration.md is not up to date. Write it anew by%n%n  %s%n",
					Repository.howToWrite(getClass()))
			.isEqualTo(generated);
	}

	@Test
	void everyPropertyHasADescriptionAndATypeAndItsDefaultIsAValue() {
		List<Property> properties = ConfigurationMetadata.properties();
		assertThat(properties).extracting(Property::name).contains("redlock.ttl", "redlock.embedded.nodes");
		for (Property property : properties) {
			assertThat(property.type()).as("type of %s", property.name()).isNotBlank();
			assertThat(property.description()).as("description of %s", property.name()).isNotBlank().endsWith(".");
			assertThat(property.defaultValue()).as("default of %s", property.name())
				.satisfiesAnyOf((value) -> assertThat(value).isNull(),
						(value) -> assertThat(value).doesNotContain(" "));
		}
	}

	@Test
	void everySettingOfAnInstanceIsOnThePage() {
		String page = Repository.read(PAGE);
		for (String setting : settings("", properties("RedlockInstance"))) {
			assertThat(page).as("redlock.instances.<name>.%s", setting).contains("`" + setting + "`");
		}
	}

	/**
	 * Startup fails for a property that is on neither list.
	 */
	@Test
	void eachPropertyIsBoundByTheBaseOrListedByItsModule() throws IOException {
		Set<String> listed = PropertiesLoaderUtils.loadAllProperties("META-INF/redlock-property-names")
			.stringPropertyNames();
		List<String> base = settings("redlock.", properties("RedlockProperties"));
		List<String> named = ConfigurationMetadata.properties()
			.stream()
			.map(Property::name)
			.filter((name) -> name.startsWith("redlock."))
			.toList();
		assertThat(named).containsAll(listed).allMatch((name) -> listed.contains(name) != base.contains(name));
	}

	/**
	 * Returns a type of properties, which is no API.
	 */
	static Class<?> properties(String name) {
		return ClassUtils.resolveClassName("dev.redlock.spring.autoconfigure.internal.settings." + name, null);
	}

	/**
	 * The metadata of a map do not say what is in its values.
	 */
	static List<String> settings(String prefix, Class<?> type) {
		List<String> settings = new ArrayList<>();
		for (RecordComponent component : type.getRecordComponents()) {
			String name = prefix + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
			if (component.getType().isRecord()) {
				settings.addAll(settings(name + ".", component.getType()));
			}
			else {
				settings.add(name);
			}
		}
		return settings;
	}

}

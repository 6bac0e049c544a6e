package dev.redlock.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What users of this module can name. The list beside the tests of the auto-configuration
 * has the types of the core and of Spring.
 */
@AnalyzeClasses(packages = "dev.redlock.test", importOptions = DoNotIncludeTests.class)
class PublicTypesTests {

	@ArchTest
	static void thePublicTypesAreThoseOfTheList(JavaClasses classes) throws IOException {
		TreeSet<String> types = new TreeSet<>();
		classes.stream().filter(PublicTypesTests::isReachable).forEach((type) -> types.add(type.getName()));
		List<String> pinned = Files.readAllLines(Path.of("src/test/resources/public-types.txt"));
		assertThat(types).as("a new public type needs a reason and a line in public-types.txt")
			.containsExactlyElementsOf(pinned);
	}

	private static boolean isReachable(JavaClass type) {
		return type.getModifiers().contains(JavaModifier.PUBLIC)
				&& type.getEnclosingClass().map(PublicTypesTests::isReachable).orElse(true);
	}

}

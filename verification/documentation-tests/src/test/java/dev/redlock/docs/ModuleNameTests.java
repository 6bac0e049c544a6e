package dev.redlock.docs;

import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * The jars as modules. They are there from the phase {@code package} on; before that, the
 * class path has folders.
 */
class ModuleNameTests {

	private static final Set<String> NAMES = Set.of("dev.redlock", "dev.redlock.lettuce", "dev.redlock.spring",
			"dev.redlock.spring.autoconfigure", "dev.redlock.spring.job", "dev.redlock.spring.job.history",
			"dev.redlock.spring.leader", "dev.redlock.spring.fencing", "dev.redlock.spring.jpa",
			"dev.redlock.spring.data", "dev.redlock.spring.shedlock", "dev.redlock.spring.integration",
			"dev.redlock.starter", "dev.redlock.test", "dev.redlock.test.lateholder");

	@Test
	void theJarsAreModulesWithTheseNamesAndShareNoPackage() {
		List<Path> jars = jars();
		assumeThat(jars).as("jars on the class path, as in ./mvnw verify").isNotEmpty();
		ModuleFinder finder = ModuleFinder.of(jars.toArray(Path[]::new));
		assertThat(finder.findAll()).map(ModuleReference::descriptor)
			.map(ModuleDescriptor::name)
			.containsExactlyInAnyOrderElementsOf(NAMES);
		Set<String> packages = new HashSet<>();
		finder.findAll()
			.forEach((module) -> module.descriptor()
				.packages()
				.forEach((name) -> assertThat(packages.add(name)).as("package %s in two modules", name).isTrue()));
		assertThat(Configuration.resolve(finder, List.of(ModuleLayer.boot().configuration()), ModuleFinder.of(), NAMES)
			.modules()).hasSize(NAMES.size());
	}

	private static List<Path> jars() {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(Path::of)
			.filter((path) -> path.getFileName().toString().matches("redlock-.*\\.jar"))
			.toList();
	}

}

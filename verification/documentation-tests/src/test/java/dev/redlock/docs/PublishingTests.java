package dev.redlock.docs;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is published is complete, and nothing else is published.
 */
class PublishingTests {

	private static final Pom ROOT = Pom.of("");

	@Test
	void theBomListsThePublishedModulesAndNothingElse() {
		Pom bom = Pom.of("redlock-bom");
		assertThat(bom.texts("/project/dependencyManagement/dependencies/dependency/artifactId"))
			.containsExactlyInAnyOrderElementsOf(publishedJars().keySet());
		assertThat(bom.texts("/project/dependencyManagement/dependencies/dependency/version"))
			.containsOnly("${project.version}");
	}

	@Test
	void whoImportsTheBomDoesNotGetTheVersionsOfThisBuild() {
		Pom bom = Pom.of("redlock-bom");
		assertThat(bom.texts("/project/parent")).isEmpty();
		assertThat(bom.texts("/project/dependencyManagement/dependencies/dependency/scope")).isEmpty();
		assertThat(bom.text("/project/version")).isEqualTo(ROOT.text("/project/version"));
	}

	@Test
	void everyModuleSaysWhetherItIsPublished() {
		for (String module : ROOT.texts("/project/modules/module")) {
			Pom pom = Pom.of(module);
			assertThat(pom.text("/project/description").contains("Not published"))
				.as("%s is not deployed, and its description says 'Not published'", module)
				.isEqualTo(!isPublished(pom));
		}
	}

	@Test
	void everyPublishedModuleHasWhatARepositoryAsksOfIt() {
		assertThat(ROOT.texts("/project/licenses/license/name")).isNotEmpty();
		assertThat(Repository.read(Repository.ROOT.resolve("LICENSE"))).contains("Apache License");
		assertThat(ROOT.texts("/project/build/plugins/plugin/artifactId")).contains("maven-source-plugin");
		publishedJars().forEach((name, pom) -> {
			assertThat(pom.text("/project/name")).isEqualTo(name);
			assertThat(pom.text("/project/description")).as("description of %s", name).isNotBlank();
		});
	}

	@Test
	void everyPublishedJarHasAModuleNameOfItsOwn() {
		List<String> names = publishedJars().values().stream().map(PublishingTests::moduleName).toList();
		assertThat(names).allMatch((name) -> name.matches("dev\\.redlock(\\.[a-z]+)*")).doesNotHaveDuplicates();
	}

	private static Map<String, Pom> publishedJars() {
		Map<String, Pom> modules = new TreeMap<>();
		for (String module : ROOT.texts("/project/modules/module")) {
			Pom pom = Pom.of(module);
			if (isPublished(pom) && !pom.texts("/project/packaging").contains("pom")) {
				modules.put(pom.text("/project/artifactId"), pom);
			}
		}
		return modules;
	}

	private static boolean isPublished(Pom pom) {
		return !pom.texts("/project/properties/maven.deploy.skip").contains("true");
	}

	private static String moduleName(Pom pom) {
		return pom.text("/project/properties/java.module.name");
	}

}

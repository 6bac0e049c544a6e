package dev.redlock.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each test runs in {@code ./mvnw verify} or in the second step, {@code ./mvnw -Pslow}.
 */
class SlowTestsTests {

	private static final String SLOW = "slow";

	private static final Pattern TAG = Pattern.compile("@Tag\\(([^)]*)\\)");

	private static final Pom ROOT = Pom.of("");

	@Test
	void noTestHasATagThatNeitherStepKnows() {
		assertThat(tags()).isNotEmpty()
			.allSatisfy((file, tags) -> assertThat(tags).as(file).containsOnly('"' + SLOW + '"'));
	}

	@Test
	void theFirstStepLeavesOutWhatTheSecondStepRuns() {
		assertThat(ROOT.text("/project/properties/groups")).isEmpty();
		assertThat(ROOT.text("/project/properties/excludedGroups")).isEqualTo(SLOW);
		assertThat(ROOT.text("/project/profiles/profile[id='slow']/properties/groups")).isEqualTo(SLOW);
		assertThat(ROOT.text("/project/profiles/profile[id='slow']/properties/excludedGroups")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { ".ci/run", ".ci/matrix", ".github/workflows/build.yml" })
	void continuousIntegrationRunsBothSteps(String file) {
		assertThat(Repository.read(Repository.ROOT.resolve(file))).containsPattern("\\bverify\\b")
			.containsPattern("-Pslow verify\\b");
	}

	/**
	 * The arguments of all tags of tests, by file.
	 */
	private static Map<String, List<String>> tags() {
		Map<String, List<String>> tags = new TreeMap<>();
		for (Path file : Repository.testSources()) {
			List<String> here = TAG.matcher(Repository.read(file)).results().map((result) -> result.group(1)).toList();
			if (!here.isEmpty() && !file.endsWith("SlowTestsTests.java")) {
				tags.put(Repository.relative(file), here);
			}
		}
		return tags;
	}

}

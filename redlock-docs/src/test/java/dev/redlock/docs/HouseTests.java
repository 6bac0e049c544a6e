package dev.redlock.docs;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules of the house that no compiler knows.
 */
class HouseTests {

	private static final int MOST_LINES = 300;

	@Test
	void noFileHasMoreThanThreeHundredLines() {
		List<Path> sources = Repository.files((path) -> path.toString().endsWith(".java"));
		assertThat(sources).hasSizeGreaterThan(300)
			.allSatisfy((source) -> assertThat(Repository.read(source).lines().count())
				.as("%s: a file holds one idea, so split it", Repository.relative(source))
				.isLessThanOrEqualTo(MOST_LINES));
	}

}

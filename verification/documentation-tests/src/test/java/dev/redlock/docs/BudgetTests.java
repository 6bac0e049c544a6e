package dev.redlock.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limits of each module, in {@code budget.csv}: lines of main code, without blank lines,
 * comments, imports and packages, and files with a public type outside of internal
 * packages. A commit that raises a number says which promise to users it pays for.
 */
class BudgetTests {

	private static final Pattern COMMENT_OR_TEXT = Pattern
		.compile("//[^\n]*|(?s:/\\*.*?\\*/)|(?s:\"\"\".*?\"\"\")|\"(?:\\\\.|[^\"\\\\\n])*+\"|'(?:\\\\.|[^'\\\\\n])*+'");

	private static final Pattern NO_CODE = Pattern.compile("\\s*|\\s*(import|package)\\b.*");

	private static final Pattern PUBLIC_TYPE = Pattern.compile("(?m)^(@\\w+(\\([^)]*\\))?\\s+)*public\\s");

	@ParameterizedTest
	@CsvFileSource(resources = "/budget.csv", useHeadersInDisplayName = true)
	void noModuleIsLargerThanItsBudget(String module, long lines, long publicTypes) {
		assertThat(sources(module).map(BudgetTests::code)
			.flatMap(String::lines)
			.filter((line) -> !NO_CODE.matcher(line).matches())
			.count())
			.as("lines of main code of %s: remove some, or raise the number in budget.csv and say in the commit which"
					+ " promise to users it pays for", module)
			.isPositive()
			.isLessThanOrEqualTo(lines);
		assertThat(sources(module).filter((source) -> !source.toString().contains("/internal/"))
			.filter((source) -> PUBLIC_TYPE.matcher(code(source)).find())
			.count()).as("public types of %s", module).isLessThanOrEqualTo(publicTypes);
	}

	@Test
	void eachModuleWithMainCodeHasABudget() {
		List<String> budgets = Repository
			.read(Repository.ROOT.resolve("verification/documentation-tests/src/test/resources/budget.csv"))
			.lines()
			.skip(1)
			.map((line) -> line.split(",")[0].strip())
			.toList();
		assertThat(Pom.of("").texts("/project/modules/module").stream().filter((module) -> sources(module).count() > 0))
			.containsExactlyInAnyOrderElementsOf(budgets);
	}

	private static Stream<Path> sources(String module) {
		String main = module + "/src/main/java/";
		return Repository.files(
				(path) -> Repository.relative(path).startsWith(main) && path.toString().matches(".*(?<!-info)\\.java"))
			.stream();
	}

	/** Returns a source without comments, and with texts as one word on each line. */
	private static String code(Path source) {
		return COMMENT_OR_TEXT.matcher(Repository.read(source)).replaceAll((match) -> {
			boolean comment = match.group().startsWith("/");
			return match.group().lines().map((line) -> comment ? "" : "_").collect(Collectors.joining("\n"));
		});
	}

}

package dev.redlock.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TestNameTests {

	private static final Pattern NAME = Pattern.compile("`(\\w+(?:Tests|Contract))(?:\\.(\\w+))?`");

	private static final Pattern TESTED_ROW = Pattern.compile("^\\|.*\\|[^|]*`\\w+\\.\\w+`[^|]*\\|$");

	private static final String SAFETY = "docs/project/safety.md";

	private static final String LIMITS = "| trigger | window | who can cause it | what stops the damage | what you can do |";

	@Test
	void everyTestThatAPageNamesIsThere() {
		Map<String, String> sources = sources();
		List<String> missing = new ArrayList<>();
		for (MarkdownPage page : Repository.pages()) {
			Matcher matcher = NAME.matcher(String.join("\n", page.lines()));
			while (matcher.find()) {
				String source = sources.get(matcher.group(1));
				if (source == null || (matcher.group(2) != null && !source.contains(" " + matcher.group(2) + "("))) {
					missing.add(page.name() + " names " + matcher.group());
				}
			}
		}
		assertThat(missing).isEmpty();
	}

	@Test
	void everyRowAboutSafetyNamesTheTestBehindIt() {
		MarkdownPage page = Repository.pages()
			.stream()
			.filter((one) -> one.name().equals(SAFETY))
			.findFirst()
			.orElseThrow();
		List<String> lines = page.lines();
		int limits = lines.indexOf(LIMITS);
		// Limits are not promises: what is not noticed has no test.
		int promises = limits + 2
				+ (int) lines.stream().skip(limits + 2).takeWhile((line) -> line.startsWith("|")).count();
		List<String> rows = Stream.concat(lines.stream().limit(limits), lines.stream().skip(promises))
			.filter((line) -> line.startsWith("|"))
			.toList();
		assertThat(limits).isPositive();
		assertThat(rows).hasSizeGreaterThan(15)
			.filteredOn((row) -> !row.contains("tested by") && !row.startsWith("|---"))
			.allMatch((row) -> TESTED_ROW.matcher(row).matches());
	}

	/**
	 * The sources of all tests by the names of their classes.
	 */
	private static Map<String, String> sources() {
		return Repository.testSources()
			.stream()
			.collect(Collectors.toMap((file) -> file.getFileName().toString().replace(".java", ""), Repository::read,
					(one, same) -> one + same));
	}

}

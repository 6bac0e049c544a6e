package dev.redlock.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each example of the page about testing is a region of a test that runs.
 */
class TestingPageTests {

	private static final Path ROOT = Path.of("..");

	private static final Pattern EXAMPLE = Pattern.compile("<!-- (\\S+)#(\\S+) -->\n```java\n(.*?)```", Pattern.DOTALL);

	@Test
	void examplesAreRegionsOfTests() throws IOException {
		String page = Files.readString(ROOT.resolve("docs/testing.md"));
		Matcher example = EXAMPLE.matcher(page);
		int found = 0;
		while (example.find()) {
			found++;
			assertThat(example.group(3)).as(example.group(1) + "#" + example.group(2))
				.isEqualTo(region(ROOT.resolve(example.group(1)), example.group(2)));
		}
		assertThat(found).as("each Java example names its source")
			.isEqualTo(Pattern.compile("^```java$", Pattern.MULTILINE).matcher(page).results().count());
	}

	private static String region(Path source, String tag) throws IOException {
		String text = Files.readString(source);
		int start = text.indexOf('\n', text.indexOf("// tag::" + tag + "[]")) + 1;
		int end = text.lastIndexOf('\n', text.indexOf("// end::" + tag + "[]")) + 1;
		assertThat(end).as("end of " + tag + " in " + source).isGreaterThan(start);
		return text.substring(start, end)
			.stripTrailing()
			.stripIndent()
			.lines()
			.map((line) -> line.replace("\t", "    "))
			.collect(Collectors.joining("\n", "", "\n"));
	}

}

package dev.redlock.it.migration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Java in the guides is a region of a file that is compiled here. Before each block
 * stands a comment with the name of the class and of the region, such as
 * {@code <!-- code: Payments#lock -->}; tabs are two spaces there.
 */
class DocumentedCodeTests {

	private static final Path GUIDES = Path.of("../docs/migration");

	private static final Path CODE = Path.of("src/test/java", "dev.redlock.it.migration".split("\\."));

	private static final Pattern BLOCK = Pattern.compile("(?:<!-- code: (\\w+)#(\\w+) -->\n)?```java\n(.*?)```",
			Pattern.DOTALL);

	private static final Pattern TAG = Pattern.compile("// tag::(\\w+)\\[]");

	@TestFactory
	Stream<DynamicTest> javaInAGuideIsCodeThatIsCompiled() throws IOException {
		return guides().stream().flatMap((guide) -> blocks(guide).map((block) -> test(guide, block)));
	}

	@TestFactory
	Stream<DynamicTest> everyRegionIsInAGuide() throws IOException {
		String all = guides().stream().map(DocumentedCodeTests::read).collect(Collectors.joining());
		try (Stream<Path> files = Files.list(CODE)) {
			return files.filter((file) -> !file.endsWith("DocumentedCodeTests.java"))
				.toList()
				.stream()
				.flatMap((file) -> {
					String name = file.getFileName().toString().replace(".java", "");
					return TAG.matcher(read(file))
						.results()
						.map((tag) -> "<!-- code: " + name + "#" + tag.group(1) + " -->")
						.map((marker) -> DynamicTest.dynamicTest(marker, () -> assertThat(all).contains(marker)));
				});
		}
	}

	private static DynamicTest test(Path guide, MatchResult block) {
		String code = block.group(3);
		return DynamicTest.dynamicTest(guide.getFileName() + ": " + block.group(1) + "#" + block.group(2), () -> {
			assertThat(block.group(1)).as("a comment that names the code of\n%s", code).isNotNull();
			assertThat(code).isEqualTo(region(block.group(1), block.group(2)));
		});
	}

	private static String region(String name, String tag) {
		Matcher region = Pattern
			.compile("[ \t]*// tag::" + tag + "\\[]\n(.*?)[ \t]*// end::" + tag + "\\[]", Pattern.DOTALL)
			.matcher(read(CODE.resolve(name + ".java")));
		assertThat(region.find()).as("region %s of %s", tag, name).isTrue();
		return (region.group(1).stripTrailing().stripIndent() + "\n").replace("\t", "  ");
	}

	private static Stream<MatchResult> blocks(Path guide) {
		return BLOCK.matcher(read(guide)).results();
	}

	private static List<Path> guides() throws IOException {
		try (Stream<Path> files = Files.list(GUIDES)) {
			return files.sorted().toList();
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new IllegalStateException("Could not read " + file, ex);
		}
	}

}

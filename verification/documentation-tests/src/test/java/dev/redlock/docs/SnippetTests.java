package dev.redlock.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.docs.MarkdownPage.Fence;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Java on a page is a region of a test source. The line before the block names it,
 * {@code <!-- snippet: name -->} or {@code <!-- snippet: name, with imports -->}, or says
 * why there is none, {@code <!-- snippet: none, reason -->}.
 */
class SnippetTests {

	private static final Pattern NAME = Pattern.compile("<!-- snippet: ([a-z0-9-]+)(, with imports)? -->");

	private static final Pattern NONE = Pattern.compile("<!-- snippet: none, .{10,} -->");

	private static final int MOST_WITHOUT_REGION = 8;

	@Test
	void everyJavaBlockEqualsARegionOfATestSource() {
		Map<String, String> regions = Regions.ofTestSources();
		List<String> problems = new ArrayList<>();
		for (Fence fence : javaBlocks()) {
			Matcher name = NAME.matcher(fence.before());
			if (!name.matches()) {
				if (!NONE.matcher(fence.before()).matches()) {
					problems.add(fence.place() + " shows Java without a region. Put '<!-- snippet: name -->' before"
							+ " it, and '// region: name' and '// endregion' around the same code in a test source.");
				}
				continue;
			}
			String region = regions.get(name.group(1));
			if (region == null) {
				problems.add(fence.place() + " shows the region '" + name.group(1) + "', which no test source has.");
			}
			else {
				String shown = (name.group(2) != null) ? Regions.imports(name.group(1), region) + "\n\n" + region
						: region;
				if (!shown.equals(fence.text())) {
					problems.add(fence.place() + " differs from the region '" + name.group(1) + "'. It should be:\n"
							+ shown + "\nWrite it by " + Repository.howToWrite(getClass()));
					rewrite(fence, shown);
				}
			}
		}
		assertThat(problems).isEmpty();
	}

	@Test
	void blocksWithoutARegionAreRare() {
		assertThat(javaBlocks()).filteredOn((fence) -> NONE.matcher(fence.before()).matches())
			.hasSizeLessThanOrEqualTo(MOST_WITHOUT_REGION);
	}

	@Test
	void everyRegionIsShownSomewhere() {
		Set<String> shown = new TreeSet<>();
		Repository.pages()
			.stream()
			.flatMap((page) -> page.lines().stream())
			.map(NAME::matcher)
			.filter(Matcher::matches)
			.forEach((name) -> shown.add(name.group(1)));
		assertThat(shown).containsAll(Regions.ofTestSources().keySet());
	}

	private static List<Fence> javaBlocks() {
		return Repository.pages()
			.stream()
			.flatMap((page) -> page.fences().stream())
			.filter((fence) -> fence.language().equals("java"))
			.toList();
	}

	private static void rewrite(Fence fence, String region) {
		if (Repository.isWriting()) {
			String page = Repository.read(fence.page().path());
			String marker = fence.before() + "\n```java\n";
			Repository.write(fence.page().path(), page.replace(
					marker + fence.text() + (fence.text().isEmpty() ? "" : "\n") + "```", marker + region + "\n```"));
		}
	}

}

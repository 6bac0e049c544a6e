package dev.redlock.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Finds common misspellings, words that are written twice, and names that are written in
 * more than one way. It is no dictionary: see ADR 16.
 */
class SpellingTests {

	private static final Pattern WORD = Pattern.compile("[\\p{L}']+");

	private static final Pattern TWICE = Pattern.compile("\\b(\\p{L}{2,})\\s+\\1\\b");

	@Test
	void noPageHasACommonMisspelling() {
		Map<String, String> misspellings = misspellings();
		assertThat(misspellings).hasSizeGreaterThan(300);
		List<String> found = new ArrayList<>();
		eachLine((place, line) -> {
			Matcher word = WORD.matcher(line);
			while (word.find()) {
				String right = misspellings.get(word.group().toLowerCase(Locale.ROOT));
				if (right != null) {
					found.add(place + " '" + word.group() + "' should be '" + right + "'");
				}
			}
		});
		assertThat(found).isEmpty();
	}

	@Test
	void noPageHasAWordTwiceInARow() {
		List<String> found = new ArrayList<>();
		eachLine((place, line) -> {
			Matcher twice = TWICE.matcher(line);
			while (twice.find()) {
				if (!twice.group(1).equals("that") && !twice.group(1).equals("had")) {
					found.add(place + " '" + twice.group() + "'");
				}
			}
		});
		assertThat(found).isEmpty();
	}

	@Test
	void namesAreWrittenAsTheirOwnersDo() {
		Pattern wrong = Pattern.compile("\\b(redis|spring boot|Spring boot|lettuce|Github|github|kubernetes|Java Script"
				+ "|Zookeeper|zookeeper|Shedlock|shedlock|MicroMeter|docker|Mysql|Postgres)\\b(?![-./:@])");
		List<String> found = new ArrayList<>();
		eachLine((place, line) -> {
			String text = line.replaceAll("\\]\\([^)]*\\)", "]").replaceAll("<!--.*-->", "");
			Matcher name = wrong.matcher(text);
			while (name.find()) {
				boolean within = name.start() > 0 && "-./:@".indexOf(text.charAt(name.start() - 1)) >= 0;
				if (!within) {
					found.add(place + " '" + name.group() + "'");
				}
			}
		});
		assertThat(found).isEmpty();
	}

	private static void eachLine(LineCheck check) {
		for (MarkdownPage page : Repository.pages()) {
			List<String> prose = page.prose();
			for (int i = 0; i < prose.size(); i++) {
				check.accept(page.name() + ":" + (i + 1), prose.get(i));
			}
		}
	}

	private static Map<String, String> misspellings() {
		Map<String, String> misspellings = new TreeMap<>();
		Repository.read(Repository.ROOT.resolve("verification/documentation-tests/src/test/resources/misspellings.txt"))
			.lines()
			.filter((line) -> !line.startsWith("#") && !line.isBlank())
			.forEach((line) -> {
				String[] words = line.split(":");
				for (String wrong : words[1].strip().split(" ")) {
					misspellings.put(wrong, words[0]);
				}
			});
		return misspellings;
	}

	@FunctionalInterface
	private interface LineCheck {

		void accept(String place, String line);

	}

}

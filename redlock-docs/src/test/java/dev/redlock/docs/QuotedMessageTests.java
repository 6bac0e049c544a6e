package dev.redlock.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a page quotes of the log or of an exception is what the program says.
 */
class QuotedMessageTests {

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	/**
	 * What differs from message to message: a gap, names of nodes and resources, numbers,
	 * words in capitals, rights, and the value of a setting.
	 */
	private static final Pattern VARIABLE = Pattern
		.compile("…|'[^']*'|\\[[^]]*]|\\b[a-e]\\b|-?\\d[\\d.,]*|\\(?\\b[A-Z_]{4,}\\b\\)?|\\+\\w+|allkeys-lru");

	/** A message may be put together of clauses. */
	private static final Pattern CLAUSE = Pattern.compile("[:;.,\\n]");

	private static final Pattern WORDS = Pattern.compile("[\\p{L}-]+ [\\p{L}-]+");

	private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?m)^\\s*//[^\n]*");

	/** The end of one literal and the start of the next, with what stands between. */
	private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*(?:[^\"\\n;]*\\+\\s*)?\"");

	private final String program = program();

	@Test
	void eachLineOfTheLogThatTheRunbookExplainsIsOneThatTheProgramWrites() {
		String page = Repository.read(Repository.ROOT.resolve("docs/operations/runbook.md"));
		String section = page.substring(page.indexOf("## What the log says"), page.indexOf("## Replace a node"));
		List<String> quoted = section.lines()
			.filter((line) -> line.startsWith("| `"))
			.flatMap((line) -> CODE.matcher(line.split(" \\| ")[0]).results())
			.map((code) -> code.group(1))
			.toList();
		assertThat(quoted).hasSizeGreaterThan(20);
		assertThat(quoted.stream().flatMap(this::unknown)).isEmpty();
	}

	@Test
	void eachMessageOfTheFirstStepsIsOneThatTheProgramWrites() {
		List<String> quoted = Repository.pages()
			.stream()
			.filter((page) -> page.name().endsWith("getting-started.md"))
			.flatMap((page) -> page.fences().stream())
			.filter((fence) -> fence.language().equals("text"))
			.map((fence) -> fence.text().replace("Connection refused", "…"))
			.toList();
		assertThat(quoted).isNotEmpty();
		assertThat(quoted.stream().flatMap(this::unknown)).isEmpty();
	}

	@Test
	void aMessageThatTheProgramDoesNotWriteIsNoticed() {
		assertThat(unknown("Redlock node 'a' is ready and waits")).containsExactly("is ready and waits");
		String onlyInAComment = "Lettuce completes it on the I/O thread of";
		assertThat(unknown(onlyInAComment)).isNotEmpty();
	}

	/**
	 * Returns the parts of a message that no source contains.
	 */
	private Stream<String> unknown(String message) {
		return VARIABLE.splitAsStream(message)
			.flatMap(CLAUSE::splitAsStream)
			.map((part) -> part.replaceAll("^[ ()-]+|[ ()-]+$", ""))
			.filter((part) -> WORDS.matcher(part).find())
			.filter((part) -> !this.program.contains(part));
	}

	/**
	 * All sources without comments, with adjoining text literals joined.
	 */
	private static String program() {
		List<String> texts = new ArrayList<>();
		Repository.files((path) -> path.toString().matches(".*/src/main/java/.*\\.java")).forEach((path) -> {
			String code = COMMENT.matcher(Repository.read(path)).replaceAll("");
			String source = JOINT.matcher(code)
				.replaceAll((joint) -> Matcher.quoteReplacement(isPlain(joint) ? "" : "¤"));
			texts.add(source);
		});
		return String.join("\n", texts);
	}

	private static boolean isPlain(MatchResult joint) {
		return joint.group().matches("\"\\s*\\+\\s*\"");
	}

}

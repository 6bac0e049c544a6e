package dev.redlock.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a page quotes of the log or of an exception is what the program says.
 */
class QuotedMessageTests {

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	/**
	 * What differs from message to message: a gap, names of nodes, leases, numbers, words
	 * in capitals, rights, and the value of a setting.
	 */
	private static final Pattern VARIABLE = Pattern.compile(
			"…|'[^']*'|\\[[^]]*]( \\(.*, ttl .* ms\\))?|\\b[a-e]\\b|-?\\d[\\d.,]*|\\(?\\b[A-Z_]{4,}\\b\\)?|\\+\\w+|allkeys-lru");

	/** Words that begin like a sentence and not like a command, or many words. */
	private static final Pattern SENTENCE = Pattern
		.compile("^(?=[\\p{Lu}\\d…])(?!\\p{Lu}{2}).*\\b[\\p{L}'-]+ [\\p{Ll}'-]+ [\\p{Ll}'-]+"
				+ "|^\\p{Ll}+( \\p{Ll}+){4,}$");

	private static final Pattern JSON_TEXT = Pattern.compile("\"([^\"]+)\"");

	/** Spring's scheduler says so. */
	private static final Set<String> OF_OTHERS = Set.of("Unexpected error occurred in scheduled task");

	/** A message may be put together of clauses. */
	private static final Pattern CLAUSE = Pattern.compile("[:;.,\\n]");

	private static final Pattern WORDS = Pattern.compile("[\\p{L}-]+ [\\p{L}-]+");

	/**
	 * A log statement: the text before its first gap, the rest, and what fills the gap.
	 */
	private static final Pattern STATEMENT = Pattern
		.compile("(?:log|info|warn|error)\\(\\s*\"([^\"{]{8,})\\{}([^\"]*)\",\\s*(\\w+)");

	/** What a query of Loki finds in a line. */
	private static final Pattern LINE_FILTER = Pattern.compile("\\|= \"([^\"]+)\"");

	private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?m)^\\s*//[^\n]*");

	/** The end of one literal and the start of the next, with what stands between. */
	private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*(?:[^\"\\n;]*\\+\\s*)?\"");

	private final String program = program();

	@Test
	void eachLineOfTheLogThatTheRunbookExplainsIsOneThatTheProgramWrites() {
		String page = Repository.read(Repository.ROOT.resolve("docs/runbook.md"));
		String section = page.substring(page.indexOf("## What the log says"));
		List<String> quoted = section.lines()
			.filter((line) -> line.startsWith("| `"))
			.flatMap((line) -> CODE.matcher(line.split(" \\| ")[0]).results())
			.map((code) -> code.group(1))
			.toList();
		assertThat(quoted).hasSizeGreaterThan(5);
		assertThat(quoted.stream().flatMap(this::unknown)).isEmpty();
		assertThat(quoted).allSatisfy((line) -> assertThat(this.isWhole(line)).as(line).isTrue());
	}

	@Test
	void eachMessageThatAPageQuotesIsOneThatTheProgramWrites() {
		Map<String, List<String>> byPage = new TreeMap<>();
		for (MarkdownPage page : Repository.pages()) {
			List<String> quoted = Stream.concat(quotedInText(page), quotedInBlocks(page)).toList();
			if (!quoted.isEmpty()) {
				byPage.put(page.name(), quoted);
			}
		}
		assertThat(byPage).containsKeys("docs/getting-started.md", "docs/monitoring.md", "docs/restarts.md",
				"docs/runbook.md");
		assertThat(byPage).allSatisfy(
				(page, quoted) -> assertThat(quoted.stream().flatMap(this::unknown)).as("on " + page).isEmpty());
	}

	@Test
	void anAlertOnTheLogAsksForTheBeginningOfALineThatTheProgramWrites() {
		String alerts = Repository.read(Repository.ROOT.resolve("docs/files/alerts.yml"));
		List<String> asked = LINE_FILTER.matcher(alerts).results().map((filter) -> filter.group(1)).toList();
		assertThat(asked).isNotEmpty().allSatisfy((text) -> assertThat(this.program).contains(".log(\"" + text));
	}

	@Test
	void aMessageThatTheProgramDoesNotWriteIsNoticed() {
		assertThat(unknown("Redlock node 'a' is ready and waits")).containsExactly("is ready and waits");
		String onlyInAComment = "Lettuce completes it on the I/O thread of";
		assertThat(unknown(onlyInAComment)).isNotEmpty();
	}

	@Test
	void aLineThatLeavesOutPartOfALeaseIsNoticed() {
		assertThat(isWhole("The lock on […] (…, ttl … ms) was lost: EXPIRED")).isTrue();
		assertThat(isWhole("The lock on […] was lost: EXPIRED")).isFalse();
	}

	/**
	 * Returns the code in the text of a page that reads like a sentence.
	 */
	private static Stream<String> quotedInText(MarkdownPage page) {
		List<String> lines = page.lines();
		List<String> prose = page.prose();
		return IntStream.range(0, lines.size())
			.filter((i) -> !prose.get(i).isEmpty())
			.boxed()
			.flatMap((i) -> CODE.matcher(lines.get(i)).results())
			.map((code) -> code.group(1))
			.filter((code) -> SENTENCE.matcher(code).find() && !OF_OTHERS.contains(code));
	}

	/**
	 * Returns the blocks of text, without pictures, and the texts in blocks of JSON.
	 */
	private static Stream<String> quotedInBlocks(MarkdownPage page) {
		return page.fences().stream().flatMap((fence) -> switch (fence.language()) {
			case "text" -> fence.text().contains("----") ? Stream.empty() : Stream.of(fence.text());
			case "json" -> JSON_TEXT.matcher(fence.text())
				.results()
				.map((text) -> text.group(1))
				.filter((text) -> SENTENCE.matcher(text).find());
			default -> Stream.empty();
		}).map((text) -> text.replace("Connection refused", "…"));
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
	 * Returns whether a line has every part of a log statement that begins like this
	 * line. A lease is logged with its method and its ttl.
	 */
	private boolean isWhole(String line) {
		List<MatchResult> statements = STATEMENT.matcher(this.program)
			.results()
			.filter((statement) -> line.startsWith(statement.group(1)))
			.toList();
		return line.endsWith("…") || statements.isEmpty()
				|| statements.stream().anyMatch((statement) -> line.matches(pattern(statement)));
	}

	private static String pattern(MatchResult statement) {
		String gap = "\\E.+\\Q";
		String lease = "\\E\\[.+] \\(.+, ttl .+ ms\\)\\Q";
		return "\\Q" + statement.group(1) + (statement.group(3).equals("lease") ? lease : gap)
				+ statement.group(2).replace("{}", gap) + "\\E";
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

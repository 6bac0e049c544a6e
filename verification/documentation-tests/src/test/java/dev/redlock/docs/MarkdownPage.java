package dev.redlock.docs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page in Markdown, as far as the tests need to understand it.
 *
 * @param path the file
 * @param lines its lines
 */
record MarkdownPage(Path path, List<String> lines) {

	private static final Pattern FENCE = Pattern.compile("^(\\s*)```(.*)$");

	private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");

	private static final Pattern CODE = Pattern.compile("`[^`]*`");

	private static final Pattern HEADING = Pattern.compile("^#{1,6} (.*)$");

	static MarkdownPage read(Path path) {
		return new MarkdownPage(path, Repository.read(path).lines().toList());
	}

	String name() {
		return Repository.relative(this.path);
	}

	/**
	 * The blocks of code.
	 */
	List<Fence> fences() {
		List<Fence> fences = new ArrayList<>();
		Matcher open = null;
		int begin = 0;
		for (int i = 0; i < this.lines.size(); i++) {
			Matcher matcher = FENCE.matcher(this.lines.get(i));
			if (!matcher.matches()) {
				continue;
			}
			if (open == null) {
				open = matcher;
				begin = i;
				continue;
			}
			String before = (begin > 0) ? this.lines.get(begin - 1).strip() : "";
			fences.add(new Fence(this, begin + 1, open.group(2).strip(), before,
					String.join("\n", this.lines.subList(begin + 1, i))));
			open = null;
		}
		return fences;
	}

	/**
	 * The text without blocks of code and without code in the text; empty lines stand for
	 * what was left out, so that numbers of lines stay right.
	 */
	List<String> prose() {
		List<String> prose = new ArrayList<>();
		boolean code = false;
		for (String line : this.lines) {
			boolean fence = FENCE.matcher(line).matches();
			prose.add((code || fence) ? "" : CODE.matcher(line).replaceAll("``"));
			code = fence != code;
		}
		return prose;
	}

	/**
	 * Where links and pictures lead, with the number of the line.
	 */
	Map<String, Integer> links() {
		Map<String, Integer> links = new HashMap<>();
		List<String> prose = prose();
		for (int i = 0; i < prose.size(); i++) {
			Matcher matcher = LINK.matcher(prose.get(i));
			while (matcher.find()) {
				links.putIfAbsent(matcher.group(1), i + 1);
			}
		}
		return links;
	}

	/**
	 * The anchors that GitHub makes of the headings.
	 */
	Set<String> anchors() {
		Set<String> anchors = new LinkedHashSet<>();
		boolean code = false;
		for (String line : this.lines) {
			code = FENCE.matcher(line).matches() != code;
			Matcher heading = HEADING.matcher(line);
			if (!code && heading.matches()) {
				String anchor = anchor(heading.group(1));
				for (int i = 1; !anchors.add((i == 1) ? anchor : anchor + "-" + (i - 1)); i++) {
					// The second heading of the same text ends in -1.
				}
			}
		}
		return anchors;
	}

	static String anchor(String heading) {
		return heading.strip().toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}\\-_ ]", "").replace(' ', '-');
	}

	/**
	 * A block of code.
	 *
	 * @param page where it is
	 * @param line the number of the line with which it opens
	 * @param language the language as it is written behind the fence
	 * @param before the line before it
	 * @param text the code
	 */
	record Fence(MarkdownPage page, int line, String language, String before, String text) {

		String place() {
			return this.page.name() + ":" + this.line;
		}

	}

}

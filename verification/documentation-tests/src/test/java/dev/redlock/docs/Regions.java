package dev.redlock.docs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The regions of test sources that pages show, by their names. A region is what stands
 * between the comments {@code // region: name} and {@code // endregion}.
 */
final class Regions {

	private static final Pattern BEGIN = Pattern.compile("^\\s*// region: ([a-z0-9-]+)$");

	private static final Pattern END = Pattern.compile("^\\s*// endregion$");

	private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

	private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?dev\\.redlock\\.[\\w.]+;");

	private Regions() {
	}

	static Map<String, String> ofTestSources() {
		Map<String, String> regions = new TreeMap<>();
		for (Path source : Repository.testSources()) {
			collect(source, regions);
		}
		return regions;
	}

	private static void collect(Path source, Map<String, String> regions) {
		String name = null;
		List<String> lines = new ArrayList<>();
		for (String line : Repository.read(source).lines().toList()) {
			Matcher begin = BEGIN.matcher(line);
			if (begin.matches()) {
				name = begin.group(1);
				lines.clear();
			}
			else if (name != null && END.matcher(line).matches()) {
				if (regions.put(name, shown(lines)) != null) {
					throw new IllegalStateException("Two regions are named " + name + ", one in " + source);
				}
				name = null;
			}
			else {
				lines.add(line);
			}
		}
		if (name != null) {
			throw new IllegalStateException("The region " + name + " in " + source + " does not end");
		}
	}

	/**
	 * The imports of this library's types that a region needs, with those that its source
	 * need not import because it is in the same package.
	 */
	static String imports(String name, String region) {
		Path source = Repository.testSources()
			.stream()
			.filter((path) -> Repository.read(path).contains("// region: " + name + "\n"))
			.findFirst()
			.orElseThrow();
		String text = Repository.read(source);
		Matcher home = PACKAGE.matcher(text);
		String found = home.find() ? home.group(1) : "";
		Stream<String> neighbours = Repository
			.files((path) -> path.toString().matches(".*src/main/java/" + found.replace('.', '/') + "/\\w+\\.java"))
			.stream()
			.map((path) -> "import " + found + "." + path.getFileName().toString().replace(".java", ";"));
		return Stream.concat(neighbours, IMPORT.matcher(text).results().map(MatchResult::group))
			.filter((line) -> region.matches("(?s).*\\b" + line.replaceAll(".*\\.|;", "") + "\\b.*"))
			.sorted(Comparator.comparing((String line) -> line.startsWith("import static"))
				.thenComparing(Comparator.naturalOrder()))
			.collect(Collectors.joining("\n"));
	}

	/**
	 * As a page shows it: not indented as a whole, with two spaces for a tab.
	 */
	private static String shown(List<String> lines) {
		StringBuilder text = new StringBuilder();
		for (String line : lines) {
			String code = line.stripLeading();
			String indent = line.substring(0, line.length() - code.length()).replace("\t", "  ");
			text.append(code.isEmpty() ? "" : indent).append(code.stripTrailing()).append('\n');
		}
		return text.toString().replaceFirst("^\\n+", "").stripTrailing().stripIndent();
	}

}

package dev.redlock.docs;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules of the house that no compiler knows.
 */
class HouseTests {

	private static final int MOST_FILES_IN_A_KNOT = 6;

	private static final int FILES_WITHOUT_A_MAP = 40;

	private static final Pattern NAMED = Pattern.compile("\\{@(?:code|link) ([a-z][\\w.]*\\.)?([A-Z]\\w+)\\}");

	private static final Pattern NOT_CODE = Pattern.compile("//[^\n]*|(?s:/\\*.*?\\*/)|\"(?:\\\\.|[^\"\\\\\n])*\"");

	private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

	private static final Pattern WORD = Pattern.compile("[\\w.]*\\w");

	@Test
	void noKnotOfFilesThatLeadBackToThemselvesHasMoreThanSix() {
		Map<String, Set<String>> uses = uses();
		assertThat(uses).hasSizeGreaterThan(300);
		Map<String, Set<String>> reached = new TreeMap<>();
		uses.keySet().forEach((type) -> reached.put(type, reachedFrom(type, uses)));
		Set<Set<String>> knots = uses.keySet()
			.stream()
			.map((type) -> reached.get(type)
				.stream()
				.filter((other) -> reached.get(other).contains(type))
				.collect(Collectors.toCollection(TreeSet::new)))
			.collect(Collectors.toSet());
		assertThat(knots)
			.as("files of which each uses all others, directly or by way of them: two of them may share"
					+ " one state, or one could be told by a callback")
			.allSatisfy((knot) -> assertThat(knot).hasSizeLessThanOrEqualTo(MOST_FILES_IN_A_KNOT));
	}

	/**
	 * A smaller package can be read without a map.
	 */
	@Test
	void theMapOfABigPackageNamesEachOfItsTypesAndNoOther() {
		Map<Path, Set<String>> packages = new TreeMap<>();
		for (Path source : Repository.files((path) -> path.toString().matches(".*/src/main/java/.*\\.java"))) {
			String name = source.getFileName().toString().replace(".java", "");
			packages.computeIfAbsent(source.getParent(), (absent) -> new TreeSet<>()).add(name);
		}
		packages.values().removeIf((types) -> types.size() <= FILES_WITHOUT_A_MAP);
		assertThat(packages).isNotEmpty();
		packages.forEach((directory, types) -> {
			types.remove("package-info");
			String ownName = directory.toString().replaceAll(".*/src/main/java/", "").replace('/', '.');
			Set<String> named = NAMED.matcher(Repository.read(directory.resolve("package-info.java")))
				.results()
				.filter((match) -> match.group(1) == null || match.group(1).equals(ownName + "."))
				.map((match) -> match.group(2))
				.collect(Collectors.toCollection(TreeSet::new));
			assertThat(named).as("the map of %s", ownName).isEqualTo(types);
		});
	}

	/**
	 * The types of the main code, by their full names, each with the types that it names.
	 */
	private static Map<String, Set<String>> uses() {
		Map<String, String> code = new TreeMap<>();
		for (Path source : Repository.files((path) -> path.toString().matches(".*/src/main/java/.*\\.java"))) {
			String text = NOT_CODE.matcher(Repository.read(source)).replaceAll("");
			String type = source.getFileName().toString().replace(".java", "");
			PACKAGE.matcher(text)
				.results()
				.findFirst()
				.ifPresent((match) -> code.put(match.group(1) + "." + type, text));
		}
		Map<String, Set<String>> uses = new TreeMap<>();
		code.forEach((type, text) -> uses.put(type, named(text, type, code.keySet())));
		return uses;
	}

	private static Set<String> named(String text, String type, Set<String> types) {
		String ownPackage = type.substring(0, type.lastIndexOf('.') + 1);
		List<String> words = WORD.matcher(text).results().map(MatchResult::group).distinct().toList();
		Set<String> named = new TreeSet<>();
		for (String word : words) {
			named.add(word);
			// An import of a nested type, and a type of the same package.
			named.add(word.substring(0, Math.max(0, word.lastIndexOf('.'))));
			named.add(ownPackage + word.split("\\.")[0]);
		}
		named.retainAll(types);
		named.remove(type);
		return named;
	}

	private static Set<String> reachedFrom(String type, Map<String, Set<String>> uses) {
		Set<String> reached = new HashSet<>();
		Deque<String> next = new ArrayDeque<>(Set.of(type));
		while (!next.isEmpty()) {
			for (String used : uses.get(next.remove())) {
				if (reached.add(used)) {
					next.add(used);
				}
			}
		}
		return reached;
	}

}

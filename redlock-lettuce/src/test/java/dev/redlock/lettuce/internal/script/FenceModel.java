package dev.redlock.lettuce.internal.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The argument for the fences in SMT-LIB, from the file {@code fences.smt2} or another
 * one of its form, as questions to a solver. Each question is a complete text that any
 * solver understands.
 *
 * @param sections the text of each section by its title; what comes before the first
 * title is under the empty title
 */
public record FenceModel(Map<String, String> sections) {

	public static final String FENCES = "/fences.smt2";

	private static final Pattern TITLE = Pattern.compile("(?m)^; --- (\\w+)$");

	private static final Pattern SCRIPT = Pattern.compile("(?m)^; script (\\w+) (\\w+)$");

	private static final Pattern COMMENT = Pattern.compile("(?m)^;.*\n");

	private static final Pattern DECLARATION = Pattern.compile("\\(declare-fun (\\w+) ");

	private static final Pattern DEFINITION = Pattern.compile("\\(define-fun ([\\w-]+) \\((.*?)\\) Bool");

	private static final String FEW = atMost("Node", "node-1") + atMost("Quorum", "quorum-1")
			+ atMost("Attempt", "attempt-1", "attempt-2") + atMost("Fence", "fence-1", "fence-2");

	private static final Pattern PARAMETER = Pattern.compile("\\((\\w+) (\\w+)\\)");

	public static FenceModel read() {
		return read(FENCES);
	}

	public static FenceModel read(String file) {
		String text = text(file);
		Map<String, String> sections = new LinkedHashMap<>();
		Matcher title = TITLE.matcher(text);
		String current = "";
		int start = 0;
		while (title.find()) {
			sections.put(current, withoutComments(text.substring(start, title.start())));
			current = title.group(1);
			start = title.end() + 1;
		}
		sections.put(current, withoutComments(text.substring(start)));
		return new FenceModel(sections);
	}

	/**
	 * The digests of the scripts that the steps were compared with, by their names.
	 */
	public static Map<String, String> digestsOfScripts(String file) {
		Map<String, String> digests = new TreeMap<>();
		Matcher script = SCRIPT.matcher(text(file));
		while (script.find()) {
			digests.put(script.group(1), script.group(2));
		}
		return digests;
	}

	/**
	 * The same model with another condition in one step.
	 */
	public FenceModel with(String step, String condition, String replacement) {
		String former = definitions("steps").get(step);
		String changed = Objects.requireNonNull(former).replace(condition, replacement);
		if (changed.equals(former)) {
			throw new IllegalArgumentException(step + " does not contain " + condition);
		}
		Map<String, String> copy = new LinkedHashMap<>(this.sections);
		copy.computeIfPresent("steps", (title, steps) -> steps.replace(former, changed));
		return new FenceModel(copy);
	}

	public List<String> steps() {
		return List.copyOf(definitions("steps").keySet());
	}

	public List<String> invariants() {
		return List.copyOf(definitions("invariants").keySet());
	}

	public List<String> promises() {
		return List.copyOf(definitions("promises").keySet());
	}

	/**
	 * Asks for an empty state in which an invariant does not hold.
	 */
	public String brokenAtTheStart() {
		return declarations() + """
				(assert (forall ((n Node) (a Attempt) (b Attempt) (f Fence))
				  (not (or (key n a) (begun a) (counted n a f) (done a) (before a b)))))
				(assert (not %s))
				""".formatted(invariants(""));
	}

	/**
	 * Asks for a step that breaks an invariant.
	 */
	public String brokenBy(String step) {
		return possible(step) + "(assert (not " + invariants("+") + "))\n";
	}

	/**
	 * Asks the same for one node, one quorum, two attempts and two fences. Among so few,
	 * a solver finds an example soon.
	 */
	public String brokenByAmongFew(String step) {
		return brokenBy(step) + FEW;
	}

	/**
	 * Asks for a state in which all invariants hold and the step is possible.
	 */
	public String possible(String step) {
		StringBuilder text = new StringBuilder(declarations()).append("(assert " + invariants("") + ")\n");
		StringBuilder call = new StringBuilder("(" + step);
		parameters(step).forEach((name, sort) -> {
			text.append("(declare-const the-" + name + " " + sort + ")\n");
			call.append(" the-" + name);
		});
		return text.append("(assert " + call + "))\n").toString();
	}

	/**
	 * Asks for a state in which all invariants hold and two leases were handed out, one
	 * before the other began.
	 */
	public String twoLeases() {
		return declarations() + "(assert " + invariants("") + ")\n" + """
				(assert (exists ((a Attempt) (b Attempt)) (and (not (= a b)) (before a b) (done b))))
				""" + FEW;
	}

	/**
	 * Asks for a state in which all invariants hold and a promise does not.
	 */
	public String brokenPromise(String promise) {
		return declarations() + "(assert " + invariants("") + ")\n(assert (not " + promise + "))\n";
	}

	private Map<String, String> parameters(String step) {
		Map<String, String> parameters = new LinkedHashMap<>();
		String definition = Objects.requireNonNull(definitions("steps").get(step));
		Matcher parameter = PARAMETER.matcher(definition.substring(0, definition.indexOf(" Bool")));
		while (parameter.find()) {
			parameters.put(parameter.group(1), parameter.group(2));
		}
		return parameters;
	}

	private String invariants(String suffix) {
		return definitions("invariants").keySet()
			.stream()
			.map((name) -> name + suffix)
			.collect(Collectors.joining(" ", "(and ", ")"));
	}

	/**
	 * Declares the state before and after a step, and defines all else.
	 */
	private String declarations() {
		String state = section("state");
		String invariants = section("invariants");
		return section("") + state + after(state) + invariants + after(invariants) + section("changes")
				+ section("steps") + section("promises");
	}

	/**
	 * Puts a plus sign behind each symbol of the state and behind each definition.
	 */
	private String after(String text) {
		String changed = text.replaceAll("\\(define-fun ([\\w-]+)", "(define-fun $1+");
		Matcher declaration = DECLARATION.matcher(section("state"));
		while (declaration.find()) {
			changed = changed.replaceAll("(?<![\\w-])" + declaration.group(1) + "(?![\\w+-])",
					declaration.group(1) + "+");
		}
		return changed;
	}

	private static String atMost(String sort, String... values) {
		StringBuilder text = new StringBuilder();
		StringBuilder any = new StringBuilder();
		for (String value : values) {
			text.append("(declare-const " + value + " " + sort + ")\n");
			any.append(" (= x " + value + ")");
		}
		return text + "(assert (forall ((x " + sort + ")) (or" + any + ")))\n";
	}

	private Map<String, String> definitions(String title) {
		Map<String, String> definitions = new LinkedHashMap<>();
		for (String form : forms(section(title))) {
			Matcher definition = DEFINITION.matcher(form);
			if (!definition.lookingAt()) {
				throw new IllegalStateException("No definition: " + form);
			}
			definitions.put(definition.group(1), form);
		}
		return definitions;
	}

	/**
	 * Returns the parts that start with a parenthesis at the start of a line.
	 */
	private static List<String> forms(String text) {
		List<String> forms = new ArrayList<>();
		for (String form : text.split("(?m)^(?=\\()")) {
			if (!form.isBlank()) {
				forms.add(form.strip());
			}
		}
		return forms;
	}

	private String section(String title) {
		return Objects.requireNonNull(this.sections.get(title), title);
	}

	public static String text(String name) {
		try (InputStream file = Objects.requireNonNull(FenceModel.class.getResourceAsStream(name))) {
			return new String(file.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String withoutComments(String text) {
		return COMMENT.matcher(text).replaceAll("");
	}

}

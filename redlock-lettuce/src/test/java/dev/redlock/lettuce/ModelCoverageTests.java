package dev.redlock.lettuce;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each transition of a model is one that the comparisons of model and server take, or the
 * table says why not. {@code -Dredlock.docs.write=true} writes the table anew.
 */
class ModelCoverageTests {

	private static final Path PAGE = Path.of("..", "docs", "project", "evidence", "models.md");

	private static final String START = "<!-- transitions -->\n";

	private static final String END = "<!-- end -->";

	private static final long SEED = 1;

	private static final Pattern ROW = Pattern
		.compile("(?m)^\\| `(\\S+)` \\| `(\\w+)` \\| (.*) \\| (.*) \\| (.*) \\|$");

	private static final Pattern LEAST = Pattern.compile("at least ([\\d,]+)");

	/** So many times as often as the table says may a transition be taken. */
	private static final int MOST_TIMES = 40;

	private static final String OF_A_CLIENT = "no: a step of a client. The simulation and `SmallScopeTests` run the code itself";

	private static final Map<String, String> NOT_COMPARED = Map.of("fences.smt2 PROPOSE", OF_A_CLIENT,
			"fences.smt2 HAND_OUT", OF_A_CLIENT, "ticks.smt2 RUN", OF_A_CLIENT, "restarts.als NOTHING",
			"no: the end of a history");

	private static final List<Row> ROWS = new ArrayList<>();

	@BeforeAll
	static void compare() {
		Transitions scripts = scripts();
		Transitions guard = guard();
		FenceModel.read().steps().forEach((step) -> add("fences.smt2", step, "`DifferentialTests`", scripts));
		FenceModel.read("/ticks.smt2")
			.steps()
			.forEach((step) -> add("ticks.smt2", step, "`DifferentialTests`", scripts));
		RestartModel.steps()
			.forEach((step) -> add("restarts.als", step,
					step.equals("EXTEND") ? "`DifferentialTests`" : "`GuardDifferentialTests`",
					step.equals("EXTEND") ? scripts : guard));
	}

	@Test
	void eachTransitionIsComparedOrTheTableSaysWhyNot() {
		assertThat(ROWS).allSatisfy((row) -> assertThat(row.taken() > 0).as("%s is taken", row.name())
			.isNotEqualTo(NOT_COMPARED.containsKey(row.name())));
		assertThat(ROWS).extracting(Row::name).doesNotHaveDuplicates().containsAll(NOT_COMPARED.keySet());
	}

	@Test
	void eachScriptIsRefusedToo() {
		assertThat(ROWS)
			.filteredOn((row) -> FenceModel.digestsOfScripts("/" + row.model()).containsKey(row.transition()))
			.isNotEmpty()
			.allSatisfy((row) -> assertThat(row.refused()).as(row.name()).isPositive());
	}

	@Test
	void theTableSaysWhatIsCompared() throws Exception {
		String page = Files.readString(PAGE);
		String table = page.substring(page.indexOf(START) + START.length(), page.indexOf(END));
		if (Boolean.getBoolean("redlock.docs.write")) {
			table = table();
			Files.writeString(PAGE,
					page.substring(0, page.indexOf(START)) + START + table + page.substring(page.indexOf(END)));
		}
		List<String> names = new ArrayList<>();
		for (Matcher row = ROW.matcher(table); row.find();) {
			names.add(row.group(1) + " " + row.group(2));
			Row counted = ROWS.get(Math.min(names.size(), ROWS.size()) - 1);
			assertThat(row.group(3)).as(counted.name()).isEqualTo(counted.comparedBy());
			assertSays(counted.name() + ", taken", row.group(4), counted.taken());
			assertSays(counted.name() + ", refused", row.group(5), counted.refused());
		}
		assertThat(names).as("write the table anew with -Dredlock.docs.write=true")
			.containsExactlyElementsOf(ROWS.stream().map(Row::name).toList());
	}

	private static void assertSays(String what, String text, int count) {
		Matcher least = LEAST.matcher(text);
		int said = least.matches() ? Integer.parseInt(least.group(1).replace(",", "")) : 0;
		if (count == 0 || said == 0) {
			assertThat(said).as("%s: %d, and the table says '%s'", what, count, text).isEqualTo(count);
		}
		else {
			assertThat(count).as("%s: the table says '%s'", what, text).isBetween(said, said * MOST_TIMES);
		}
	}

	private static Transitions scripts() {
		DifferentialTests comparison = new DifferentialTests();
		comparison.setUp();
		try {
			comparison.theNodeInMemoryAnswersAsARealServerDoes(SEED);
		}
		finally {
			comparison.tearDown();
		}
		return comparison.transitions;
	}

	private static Transitions guard() {
		GuardDifferentialTests comparison = new GuardDifferentialTests();
		comparison.setUp();
		try {
			comparison.theGuardOfTheSimulationLetsVoteWhomTheRealOneDoes(SEED);
		}
		finally {
			comparison.tearDown();
		}
		return comparison.transitions;
	}

	private static void add(String model, String step, String comparedBy, Transitions counts) {
		String why = NOT_COMPARED.get(model + " " + step);
		ROWS.add(new Row(model, step, (why != null) ? why : comparedBy, counts.taken(step), counts.refusals(step)));
	}

	private static String table() {
		StringBuilder table = new StringBuilder("""
				| model | transition | compared by | taken | refused |
				|---|---|---|---|---|
				""");
		ROWS.forEach((row) -> table.append("| `%s` | `%s` | %s | %s | %s |\n".formatted(row.model(), row.transition(),
				row.comparedBy(), least(row.taken()), least(row.refused()))));
		return table.toString();
	}

	/**
	 * A round number that a run on another machine reaches as well.
	 */
	private static String least(int count) {
		if (count == 0) {
			return "–";
		}
		int least = 1;
		while (least * 20 <= count) {
			least *= 10;
		}
		return "at least %,d".formatted(least);
	}

	private record Row(String model, String transition, String comparedBy, int taken, int refused) {

		String name() {
			return this.model + " " + this.transition;
		}

	}

}

package dev.redlock.lettuce;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.redlock.lettuce.internal.restart.GuardDifferentialTests;
import dev.redlock.lettuce.internal.restart.RestartModel;
import dev.redlock.lettuce.internal.script.FenceModel;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each transition of a model is one that the comparisons of model and server take.
 */
class ModelCoverageTests {

	private static final long SEED = 1;

	/**
	 * Steps of a client, for which the simulation runs the code itself, and the end of a
	 * history.
	 */
	private static final Set<String> NOT_COMPARED = Set.of("fences.smt2 PROPOSE", "fences.smt2 HAND_OUT",
			"ticks.smt2 RUN", "restarts.als NOTHING");

	private static final List<Row> ROWS = new ArrayList<>();

	@BeforeAll
	static void compare() {
		Transitions scripts = scripts();
		Transitions guard = guard();
		FenceModel.read().steps().forEach((step) -> add("fences.smt2", step, scripts));
		FenceModel.read("/ticks.smt2").steps().forEach((step) -> add("ticks.smt2", step, scripts));
		RestartModel.steps().forEach((step) -> add("restarts.als", step, step.equals("EXTEND") ? scripts : guard));
	}

	@Test
	void eachTransitionIsComparedUnlessItIsAStepOfAClient() {
		assertThat(ROWS).allSatisfy((row) -> assertThat(row.taken() > 0).as("%s is taken", row.name())
			.isNotEqualTo(NOT_COMPARED.contains(row.name())));
		assertThat(ROWS).extracting(Row::name).doesNotHaveDuplicates().containsAll(NOT_COMPARED);
	}

	@Test
	void eachScriptIsRefusedToo() {
		assertThat(ROWS)
			.filteredOn((row) -> FenceModel.digestsOfScripts("/" + row.model()).containsKey(row.transition()))
			.isNotEmpty()
			.allSatisfy((row) -> assertThat(row.refused()).as(row.name()).isPositive());
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

	private static void add(String model, String step, Transitions counts) {
		ROWS.add(new Row(model, step, counts.taken(step), counts.refusals(step)));
	}

	private record Row(String model, String transition, int taken, int refused) {

		String name() {
			return this.model + " " + this.transition;
		}

	}

}

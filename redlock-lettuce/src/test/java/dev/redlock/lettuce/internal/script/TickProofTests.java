package dev.redlock.lettuce.internal.script;

import java.util.Map;
import java.util.stream.Stream;

import com.microsoft.z3.Status;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Proves with Z3 that a job runs at most once per tick, for any number of nodes, attempts
 * and quorums. The argument is in {@code ticks.smt2}.
 */
class TickProofTests {

	private static final String TICKS = "/ticks.smt2";

	private static final FenceModel MODEL = FenceModel.read(TICKS);

	@BeforeAll
	static void needNativeLibrary() {
		FenceProofTests.needNativeLibrary();
	}

	@ParameterizedTest
	@MethodSource("steps")
	void eachStepKeepsAllInvariantsAndIsPossible(String step) {
		assertThat(FenceProofTests.solve(MODEL.brokenBy(step))).isEqualTo(Status.UNSATISFIABLE);
		assertThat(FenceProofTests.solve(MODEL.possible(step))).isEqualTo(Status.SATISFIABLE);
	}

	@Test
	void theInvariantsImplyThatATickRunsAtMostOnce() {
		assertThat(MODEL.promises()).containsExactly("once");
		assertThat(FenceProofTests.solve(MODEL.brokenPromise("once"))).isEqualTo(Status.UNSATISFIABLE);
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|', textBlock = """
			a mark of a tick that has one already    | TICK   | (less (last n) (tick a)) | true
			a vote on a tick that may be forgotten   | TICK   | (less (floor n) (tick a)) | true
			a loss that is not covered               | FORGET | (not (less s (last n)))  | true
			work without a quorum                    | RUN    | (forall ((n Node)) (=> (in n q) (marked n a))) | true
			""")
	void aStepWithoutItsConditionBreaksTheArgument(String control, String step, String condition, String without) {
		assertThat(FenceProofTests.solve(MODEL.with(step, condition, without).brokenByAmongFew(step)))
			.isEqualTo(Status.SATISFIABLE);
	}

	/**
	 * If this fails because you changed the script: make sure that the step still says
	 * what it does, and write the new digest there.
	 */
	@Test
	void theStepWasComparedWithTheScript() {
		assertThat(FenceModel.digestsOfScripts(TICKS))
			.isEqualTo(Map.of("TICK", FenceProofTests.digest(LockScript.TICK)));
	}

	static Stream<String> steps() {
		return MODEL.steps().stream();
	}

}

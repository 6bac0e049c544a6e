package dev.redlock.lettuce.internal.script;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import com.microsoft.z3.Context;
import com.microsoft.z3.Params;
import com.microsoft.z3.Solver;
import com.microsoft.z3.Status;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Proves the order of fences for any number of nodes, clients and quorums, with Z3. The
 * argument is in {@code fences.smt2}.
 */
public class FenceProofTests {

	private static final FenceModel MODEL = FenceModel.read();

	/**
	 * Without this bound, a wrong change of the model could keep the build busy for ever.
	 */
	private static final int MAX_MILLIS = 120_000;

	@BeforeAll
	public static void needNativeLibrary() {
		try (Context z3 = new Context()) {
			assertThat(z3.mkSolver().check()).isEqualTo(Status.SATISFIABLE);
		}
		catch (LinkageError | RuntimeException ex) {
			Assumptions.abort("There is no Z3 for this platform: " + ex);
		}
	}

	@Test
	void allInvariantsHoldWhenThereIsNoLockYet() {
		assertThat(solve(MODEL.brokenAtTheStart())).isEqualTo(Status.UNSATISFIABLE);
	}

	@ParameterizedTest
	@MethodSource("steps")
	void eachStepKeepsAllInvariants(String step) {
		assertThat(solve(MODEL.brokenBy(step))).isEqualTo(Status.UNSATISFIABLE);
	}

	/**
	 * A contradiction in the model would prove everything.
	 */
	@ParameterizedTest
	@MethodSource("steps")
	void eachStepIsPossible(String step) {
		assertThat(solve(MODEL.possible(step))).isEqualTo(Status.SATISFIABLE);
	}

	/**
	 * Promises about leases that cannot exist would hold as well.
	 */
	@Test
	void twoLeasesOneAfterTheOtherArePossible() {
		assertThat(solve(MODEL.twoLeases())).isEqualTo(Status.SATISFIABLE);
	}

	@Test
	void nothingOfTheArgumentIsLeftOut() {
		assertThat(MODEL.invariants()).hasSize(10);
		assertThat(MODEL.promises()).containsExactly("unique", "rising");
	}

	@ParameterizedTest
	@MethodSource("promises")
	void theInvariantsImplyThatFencesAreUniqueAndRise(String promise) {
		assertThat(solve(MODEL.brokenPromise(promise))).isEqualTo(Status.UNSATISFIABLE);
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					an extension that does not check the owner   | EXTEND   | (key n a)                            | true
					a fence below the counter of the grant       | EXTEND   | (not (less f g))                     | true
					a fence that equals the one before it        | ACQUIRE  | (less (counter n) t)                 | (not (less t (counter n)))
					a successor with its predecessor's fence     | SUCCEED  | (less (counter n) t)                 | (not (less t (counter n)))
					a restored lease although another came later | RESTORE  | (not (less (fence a) (counter n)))   | true
					a restored claim that is not a lease yet     | RESTORE  | (done a)                             | true
					an extension that sets a counter back        | EXTEND   | (ite (less (counter n) f) f (counter n)) | f
							a hand-out that nobody counted               | HAND_OUT | (forall ((n Node)) (=> (in n q) (counted n a f))) | true
					""")
	void aStepWithoutItsConditionBreaksTheArgument(String control, String step, String condition, String without) {
		assertThat(solve(MODEL.with(step, condition, without).brokenByAmongFew(step))).isEqualTo(Status.SATISFIABLE);
	}

	@Test
	void twoQuorumsWithoutACommonNodeBreakUniqueFences() {
		Map<String, String> sections = new LinkedHashMap<>(MODEL.sections());
		sections.computeIfPresent("",
				(title, text) -> text.replace("(and (in (shared q r) q) (in (shared q r) r))", "(in (shared q r) q)"));
		assertThat(solve(new FenceModel(sections).brokenPromise("unique"))).isEqualTo(Status.SATISFIABLE);
	}

	/**
	 * If this fails because you changed a script: change the step of its name in the
	 * model, or make sure that it still says what the script does. Then write the new
	 * digest there.
	 */
	@Test
	void eachScriptThatWritesIsAStepAndNeitherChangesWithoutTheOther() {
		Map<String, String> digests = new TreeMap<>();
		Arrays.stream(LockScript.values())
			.filter((script) -> script != LockScript.INSPECT && script != LockScript.TICK)
			.forEach((script) -> digests.put(script.name(), digest(script)));
		assertThat(FenceModel.digestsOfScripts(FenceModel.FENCES)).isEqualTo(digests);
		assertThat(MODEL.steps()).containsAll(digests.keySet())
			.filteredOn((step) -> !digests.containsKey(step))
			.containsExactly("PROPOSE", "HAND_OUT", "LOSE");
	}

	static Stream<String> steps() {
		return MODEL.steps().stream();
	}

	static Stream<String> promises() {
		return MODEL.promises().stream();
	}

	static Status solve(String question) {
		try (Context z3 = new Context()) {
			Params parameters = z3.mkParams();
			parameters.add("timeout", MAX_MILLIS);
			Solver solver = z3.mkSolver();
			solver.setParameters(parameters);
			solver.add(z3.parseSMTLIB2String(question, null, null, null, null));
			return solver.check();
		}
	}

	static String digest(LockScript script) {
		return Integer.toHexString(script.text("run-id", null, Channels.PLAIN).hashCode());
	}

}

package dev.redlock.lettuce.internal.restart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;

import dev.redlock.lettuce.internal.restart.RestartModel.History;
import dev.redlock.lettuce.internal.script.LockScript;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Looks with Alloy for restarts that lead to two holders or to a lower fence. The model
 * is in {@code restarts.als}.
 */
@Tag("slow")
class RestartModelTests {

	private static final Path GUARD = Path.of("src/main/java/dev/redlock/lettuce/internal/restart/RestartGuard.java");

	private static final Path HISTORY = Path.of("src/main/java/dev/redlock/lettuce/internal/restart/DataHistory.java");

	private static final Pattern CODE = Pattern.compile("(?m)^// code ([\\w.]+) (\\w+)$");

	private static @Nullable RestartModel loaded;

	@BeforeAll
	static void readModel() throws ReflectiveOperationException {
		if (!Files.exists(RestartModel.ALLOY)) {
			Assumptions.abort("Maven copies Alloy to " + RestartModel.ALLOY + " before the tests");
		}
		loaded = new RestartModel();
	}

	@ParameterizedTest
	@ValueSource(strings = { "keepsExclusion", "keepsExclusionForLonger", "keepsExclusionOfFourNodes",
			"keepsExclusionOfFiveNodes", "keepsFences", "keepsExclusionOfOneNode", "keepsFencesOfOneNode",
			"keepsExclusionByTheWord", "keepsExclusionOfOneNodeByTheWord", "keepsFencesByTheWord" })
	void withTheGuardNoHistoryOfRestartsBreaksAPromise(String command) throws ReflectiveOperationException {
		assertThat(model().run(command)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "deepKeepsExclusion", "deepKeepsExclusionOfExtended", "deepKeepsFences" })
	@EnabledIfSystemProperty(named = "redlock.sim.exhaustive", matches = "true")
	void norDoesALongerHistory(String command) throws ReflectiveOperationException {
		assertThat(model().run(command)).isNull();
	}

	/**
	 * A model in which nothing can happen would keep all promises.
	 */
	@Test
	void aServerThatHasWaitedVotesAgain() throws ReflectiveOperationException {
		History history = Objects.requireNonNull(model().run("waitsAndVotesAgain"));
		assertThat(history.steps()).contains("RESTART", "CHECK", "ACQUIRE");
	}

	@Test
	void aLeaseThatIsExtendedOutlivesTheQuarantineOfAServer() throws ReflectiveOperationException {
		History history = Objects.requireNonNull(model().run("outlivesAQuarantine"));
		assertThat(history.steps()).contains("ACQUIRE", "EXTEND", "RESTART");
	}

	@Test
	void aServerThatIsDeclaredToKeepItsWritesVotesAtOnce() throws ReflectiveOperationException {
		History history = Objects.requireNonNull(model().run("votesAtOnceByTheWord"));
		assertThat(history.steps()).containsExactly("ACQUIRE", "RESTART", "CHECK", "ACQUIRE");
	}

	/**
	 * The shapes are those that {@code docs/project/safety.md} tells.
	 */
	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiterString = " | ",
			textBlock = """
					no quarantine                      | noQuarantine           | ACQUIRE RESTART CHECK ACQUIRE
					no quarantine, five nodes          | noQuarantineOfFive     | ACQUIRE RESTART CHECK ACQUIRE
					no quarantine, and a fence falls   | noQuarantineForFences  | ACQUIRE RESTART CHECK ACQUIRE
					scripts that any process runs      | unboundScripts         | ACQUIRE RESTART ACQUIRE
					an extension by a minority         | minorityExtends        | ACQUIRE EXTEND ACQUIRE
					no marker in the scripts           | noMarker               | ACQUIRE FLUSH ACQUIRE
					trust in the present settings      | presentLife            | ACQUIRE RESTART CHECK ACQUIRE
					an old state that is put back      | oldState               | ACQUIRE RESTART CHECK ACQUIRE
					a change before the next look      | unseenChange           | CONFIG ACQUIRE RESTART CHECK ACQUIRE
					declared and false                 | falseWord              | ACQUIRE RESTART CHECK ACQUIRE
					declared and false, one server     | falseWordOfOneNode     | ACQUIRE RESTART CHECK ACQUIRE
					a record that is lost as well      | lostRecord             | CONFIG (ACQUIRE CHECK|CHECK ACQUIRE) RESTART CHECK ACQUIRE
					""")
	void withoutAPartOfTheGuardOrBeyondItsLimitsAPromiseIsBroken(String control, String command, String steps)
			throws ReflectiveOperationException {
		History history = Objects.requireNonNull(model().run(command), "There is no such history");
		assertThat(String.join(" ", history.steps())).matches(steps);
		assertThat(history.events().get(history.events().size() - 1).attempts()).isNotEqualTo(firstOwner(history));
	}

	@Test
	void allCommandsAreRun() throws ReflectiveOperationException {
		assertThat(model().commands()).hasSize(10 + 3 + 3 + 12).doesNotHaveDuplicates();
	}

	/**
	 * If this fails because you changed the code: compare it with {@code checked} or
	 * {@code served} in the model, and write the new digest there.
	 */
	@Test
	void theCheckOfTheModelAndTheCodeDoNotChangeWithoutEachOther() throws IOException {
		Map<String, String> digests = new TreeMap<>();
		CODE.matcher(RestartModel.text()).results().forEach((code) -> digests.put(code.group(1), code.group(2)));
		String guard = Files.readString(GUARD);
		assertThat(digests).containsExactlyInAnyOrderEntriesOf(Map.of("DataHistory.SCRIPT", digest(DataHistory.SCRIPT),
				"RestartGuard.trustAfterCheck", digest(method(guard, "private Trust trustAfterCheck(")),
				"RestartGuard.remaining", digest(method(guard, "private Duration remaining(")), "Server.hasLocksOf",
				digest(method(guard, "boolean hasLocksOf(")), "KnownServer.hasLocksOf",
				digest(method(Files.readString(HISTORY), "public boolean hasLocksOf("))));
	}

	@Test
	void theStepsOfLockScriptsAreBoundAndThatOfAnAcquisitionComparesTheMarker() {
		assertThat(RestartModel.steps()).containsExactly("ACQUIRE", "EXTEND", "RESTART", "FLUSH", "CONFIG", "CHECK",
				"NOTHING");
		assertThat(LockScript.ACQUIRE.bound()).isTrue();
		assertThat(LockScript.ACQUIRE.marked()).isTrue();
		assertThat(LockScript.EXTEND.bound()).isTrue();
	}

	private static RestartModel model() {
		return Objects.requireNonNull(loaded);
	}

	private static List<Integer> firstOwner(History history) {
		return history.events()
			.stream()
			.filter((event) -> event.step().equals("ACQUIRE"))
			.findFirst()
			.orElseThrow()
			.attempts();
	}

	private static String method(String code, String start) {
		int from = code.indexOf(start);
		return code.substring(from, code.indexOf("\n\n", from));
	}

	private static String digest(String text) {
		return Integer.toHexString(text.hashCode());
	}

}

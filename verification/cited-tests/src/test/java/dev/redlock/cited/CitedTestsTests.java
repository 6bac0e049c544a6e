package dev.redlock.cited;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each listed test that {@code safety.md} cites fails when the line that it proves is
 * wrong. One class with the wrong line is compiled, and the test runs in a process in
 * which that class comes first.
 */
@Tag("slow")
class CitedTestsTests {

	private static final String CORE = "redlock-core/src/main/java/dev/redlock/";

	private static final String LETTUCE = "redlock-lettuce/src/main/java/dev/redlock/lettuce/internal/";

	private static final Path ROOT = Path.of("../..");

	private static final String CLASS_PATH = System.getProperty("java.class.path");

	@TempDir
	private Path directory;

	static List<Pair> pairs() {
		return List.of(
				new Pair("dev.redlock.sim.SmallScopeTests.whileTheWinnerHoldsNobodyElseWinsInAnyOrderOfEvents",
						CORE + "QuorumStatus.java", "return nodes / 2 + 1;", "return Math.max(1, nodes / 2);"),
				new Pair(
						"dev.redlock.lettuce.internal.clock.ClockProofTests.theValidityAllowsForTheStepThatItSubtractsAndLessThanA"
								+ "MillisecondMore",
						CORE + "RedlockSettings.java", "+ FIXED_DRIFT_NANOS + clockStep.toNanos()",
						"+ FIXED_DRIFT_NANOS"),
				new Pair("dev.redlock.PermitTests.thereAreNeverMoreOwnersThanPermitsAndEachRequestEnds",
						CORE + "QuorumStatus.java", "return nodes / 2 + 1;", "return Math.max(1, nodes / 2);"),
				new Pair("dev.redlock.TickTests.aTickIsGrantedOnce", CORE + "internal/vote/Acquisition.java",
						"if (this.plan.tick() == null) {", "if (true) {"),
				new Pair("dev.redlock.LockDelayTests.afterALapseNobodyGetsTheLockUntilTheDelayHasPassed",
						CORE + "internal/plan/LockPlan.java", "return trusted.plus(this.lockDelay);",
						"return trusted;"),
				new Pair("dev.redlock.SuspendTests.aHolderIsToldOfItsLossWithinASecondOfWaking",
						CORE + "internal/plan/Moment.java", "return Math.max(monotonicNanos(ticker), wall);",
						"return monotonicNanos(ticker);"),
				new Pair("dev.redlock.FenceTests.fencesRiseWhateverMinorityAnswersAndWhateverTheCountersAre",
						CORE + "internal/vote/FenceSettlement.java", "if (missing <= 0) {", "if (true) {"),
				new Pair("dev.redlock.AcquireTests.anyNumberOfNodesComesToAVerdictWhenHalfOfThemAreDown",
						CORE + "QuorumStatus.java", "return nodes / 2 + 1;", "return nodes;"),
				new Pair("dev.redlock.LeaseTests.extensionByAMajorityProlongsTheValidity",
						CORE + "internal/lease/LeaseExtension.java", "new Round(plan.nodes(), plan.majority(),",
						"new Round(plan.nodes(), plan.nodes().size(),"),
				new Pair("dev.redlock.LateWriteTests.whatIsRestoredBehindTheReleaseOfItsLeaseIsTakenBack",
						CORE + "internal/lease/LeaseRelease.java", "ReleaseCommand(claim, plan.nodes(),",
						"ReleaseCommand(claim, this.lease.grant().mayHold(),"),
				new Pair(
						"dev.redlock.LateWriteTests.anExtensionBehindTheReleaseOfItsLeaseDoesNotProlongWhatIsKeptForA"
								+ "While",
						CORE + "internal/lease/LeaseRelease.java", "lease.plan().atLeast().minus(lease.heldFor())",
						"lease.plan().atLeast()"),
				new Pair("dev.redlock.lettuce.internal.clock.PauseDetectorTests.aGainOfAMinorityIsAStepOfItsClock",
						LETTUCE + "clock/PauseDetector.java",
						"Math.max(LEAST_WITNESSES, QuorumStatus.majorityOf(size))", "1"),
				new Pair("dev.redlock.LeaseTests.anAnswerThatComesAfterTheOldValidityIsNoExtension",
						CORE + "internal/lease/LeaseExtension.java", "if (tally.won() && this.lease.isValid()) {",
						"if (tally.won()) {"),
				new Pair("dev.redlock.LeaseTests.aMajorityThatForgotTheLeaseEndsItAtOnce",
						CORE + "internal/lease/LeaseExtension.java",
						"if (tally.isBlockedBy(Refused.class::isInstance)) {", "if (false) {"),
				new Pair("dev.redlock.sim.SimulationTests.aRequestGetsATryAfterItsProcessHasWokenUp",
						CORE + "internal/request/PendingAttempt.java", "!this.askedAfterPause && refused.wasPaused()",
						"false"),
				new Pair("dev.redlock.lettuce.MarkerTests.aClockThatWasWrongWhenTheServerWasFirstSeenMakesItNoOlder",
						LETTUCE + "restart/DataHistory.java", "Math.min(byServer, byClients)", "byServer"),
				new Pair(
						"dev.redlock.lettuce.internal.clock.PauseDetectorTests.aMajorityThatGainedDifferentAmountsHasStepped",
						LETTUCE + "clock/Gains.java", "agreeing >= this.majority", "agreeing >= 1"),
				new Pair(
						"dev.redlock.lettuce.internal.restart.RestartGuardTests.aServerThatHasEvictedSinceItWasSeenWaitsThoughItNo"
								+ "LongerDoes",
						LETTUCE + "restart/RestartGuard.java", "last.hasEvictedSince(facts)", "false"),
				new Pair(
						"dev.redlock.lettuce.ClockStepTests.aGrantThatWasUnderWayWhenAnotherAnswerToldOfTheStepDoes"
								+ "NotCountEither",
						LETTUCE + "clock/NodeClocks.java", "(this.forwardSteps == forwardStepsBefore)", "(true)"),
				new Pair("dev.redlock.lettuce.internal.facts.ServerFactsTests.aServerBeforeRedis7IsUnfit",
						LETTUCE + "facts/ServerFacts.java", "if (this.outdated) {", "if (false) {"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("pairs")
	@Timeout(300)
	void aCitedTestFailsOnTheMutantOfTheLineThatItProves(Pair pair) throws Exception {
		String source = Files.readString(ROOT.resolve(pair.file));
		assertThat(source.split(Pattern.quote(pair.line), -1)).as("%s in %s", pair.line, pair.file).hasSize(2);
		Path mutant = this.directory.resolve(Path.of(pair.file).getFileName());
		Files.writeString(mutant, source.replace(pair.line, pair.mutant));
		Path classes = Files.createDirectory(this.directory.resolve("classes"));
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		int result = compiler.run(null, null, null, "-proc:none", "-parameters", "--release", "17", "-cp", CLASS_PATH,
				"-d", classes.toString(), mutant.toString());
		assertThat(result).as("compiler").isZero();
		assertThat(run(classes + File.pathSeparator + CLASS_PATH, List.of(pair.test))).isEqualTo(CitedTests.FAILED);
	}

	@Test
	@Timeout(300)
	void eachListedTestIsCitedAndPassesWithoutAMutant() throws Exception {
		String page = Files.readString(ROOT.resolve("docs/project/safety.md"));
		List<String> tests = pairs().stream().map(Pair::test).toList();
		assertThat(tests).allSatisfy((test) -> assertThat(page).contains("`" + shortName(test) + "`"));
		assertThat(run(CLASS_PATH, tests)).isEqualTo(CitedTests.PASSED);
	}

	/**
	 * @return the exit code
	 */
	private int run(String classPath, List<String> tests) throws IOException, InterruptedException {
		Path log = this.directory.resolve("log");
		List<String> command = Stream.concat(
				Stream.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-ea",
						"-Djunit.jupiter.execution.timeout.default=60 s", "-cp", classPath, CitedTests.class.getName()),
				tests.stream())
			.toList();
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
		try {
			assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
			return process.exitValue();
		}
		finally {
			process.destroyForcibly();
		}
	}

	private static String shortName(String test) {
		String[] words = test.split("\\.");
		return words[words.length - 2] + "." + words[words.length - 1];
	}

	/**
	 * A cited test and a change of the line that it proves.
	 */
	record Pair(String test, String file, String line, String mutant) {

		@Override
		public String toString() {
			return shortName(this.test);
		}

	}

}

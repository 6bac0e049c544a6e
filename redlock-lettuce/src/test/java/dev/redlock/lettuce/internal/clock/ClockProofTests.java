package dev.redlock.lettuce.internal.clock;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.LockWorld;
import dev.redlock.RedlockSettings;
import dev.redlock.lettuce.NodeFixture;
import dev.redlock.lettuce.internal.check.ScriptedServer;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.script.Channels;
import dev.redlock.lettuce.internal.script.FenceProofTests;
import dev.redlock.lettuce.internal.script.LockScript;
import dev.redlock.memory.ManualTime;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Proves mutual exclusion with clocks that drift and step, with Z3. The argument is in
 * {@code clocks.smt2}. All numbers come from the code.
 */
class ClockProofTests {

	private static final Duration MAX_TTL = RedlockSettings.DEFAULTS.maxTtl();

	private static final double DRIFT = RedlockSettings.DEFAULTS.clockDriftFactor();

	private static final double STEP = millis(ClockWatch.unnoticed(MAX_TTL));

	/** A microsecond, the unit of all the numbers. */
	private static final double A_LITTLE = 0.001;

	private static final Pattern MISSING_COUNTER = Pattern.compile("and now - (\\d+) or");

	/** Two leases that are valid at one instant. */
	private static final ClockModel GUARDED = twoLeases(ClockWatch.unnoticed(MAX_TTL));

	/** How much a clock gains without being noticed. */
	private static final ClockModel WATCHED = new ClockModel(GUARDED.values(),
			Set.of("windows", "no-dip", "unnoticed-by-watch"));

	@BeforeAll
	static void needNativeLibrary() {
		FenceProofTests.needNativeLibrary();
	}

	@Test
	void twoLeasesAreNeverValidAtOneInstant() {
		assertThat(GUARDED.isPossible()).isFalse();
	}

	@Test
	void eachLeaseAloneIsPossible() {
		assertThat(GUARDED.without("a-valid").isPossible()).isTrue();
		assertThat(GUARDED.without("key-expired").isPossible()).isTrue();
	}

	/**
	 * Without the restart guard, steps are not noticed, and nothing is taken off for
	 * them. If there are none, clocks only drift.
	 */
	@Test
	void withoutStepsTheDriftFactorIsEnough() {
		ClockModel unguarded = twoLeases(Duration.ZERO).without("unnoticed");
		assertThat(unguarded.and("(same-rate (- a-other a-set) (- n-other n-set))").isPossible()).isFalse();
		assertThat(unguarded.with("validity", unguarded.value("validity") + 1)
			.and("(same-rate (- a-other a-set) (- n-other n-set))")
			.isPossible()).isTrue();
	}

	/**
	 * The allowance for drift shrinks with what is subtracted beside it, so a part of it
	 * is left over.
	 */
	@Test
	void theValidityAllowsForTheStepThatItSubtractsAndLessThanAMillisecondMore() {
		double spare = DRIFT * (STEP + GUARDED.value("granularity")) / (1 - DRIFT);
		assertThat(spare).isBetween(0.7, 0.8);
		assertThat(GUARDED.with("step", STEP + spare).isPossible()).isFalse();
		assertThat(GUARDED.with("step", STEP + spare + A_LITTLE).isPossible()).isTrue();
	}

	@Test
	void aLargerStepThanTheCodeAssumesBreaksIt() {
		assertPossible("the clock of the node steps by 500 ms", GUARDED.with("step", 500));
	}

	@Test
	void aValidityWithoutTheDriftTermBreaksIt() {
		assertPossible("nothing is subtracted for drift",
				GUARDED.with("validity", GUARDED.value("validity") + GUARDED.value("ttl") * DRIFT));
	}

	@Test
	void aT1AfterTheSendBreaksIt() {
		assertPossible("T1 is taken after the send",
				GUARDED.without("T1-before-the-send").and("(<= a-sends a-begins (+ a-sends 100))"));
	}

	@Test
	void clocksThatAreEachOffByTheDriftFactorBreakIt() {
		assertPossible("one client is slow and the other fast, each by the factor", GUARDED.with("drift", 2 * DRIFT));
	}

	/**
	 * The lease is not valid before its answer has come, and that takes as long as what
	 * the answer can hide.
	 */
	@Test
	void aSlowAnswerHidesNoStepThatMatters() {
		assertThat(GUARDED.and("(= answer 1000)").isPossible()).isFalse();
		assertThat(GUARDED.without("a-valid").and("(= answer 1000)").isPossible()).isTrue();
	}

	@Test
	void aStepIsHiddenIfAllRequestsBeforeWereSlow() {
		assertPossible("each request before took 10 ms to the node",
				GUARDED.without("quick-request").and("(= request 10)"));
	}

	/**
	 * The term for the pause is counted twice, which is 4 ms too much.
	 */
	@Test
	void aClockThatGainsMoreThanTheValidityAllowsForIsNoticed() {
		double most = STEP - millis(NodeSettings.CHECK_INTERVAL) / ClockWatch.MICROS_PER_DRIFT;
		assertThat(most).isCloseTo(STEP - 4, within(A_LITTLE));
		assertThat(gaining(most).isPossible()).isFalse();
		assertThat(gaining(most - A_LITTLE).isPossible()).isTrue();
	}

	@Test
	void aClockThatIsNotLookedAtForLongerCouldGainMoreIfThereWereNoLimit() {
		assertThat(gaining(STEP + A_LITTLE).with("look-period", 3 * millis(NodeSettings.CHECK_INTERVAL)).isPossible())
			.isTrue();
	}

	@Test
	void theWatchOfTheCodeDoesAsTheModelSays() {
		double most = STEP - millis(NodeSettings.CHECK_INTERVAL) / ClockWatch.MICROS_PER_DRIFT;
		double unnoticed = most - 10 * A_LITTLE;
		ClockModel lastMoment = gaining(unnoticed).and("(= set (- starts 1))", "(= now (+ set max-ttl))",
				"(= lowest starts)", "(<= gained-lowest (+ gained-set least-step))");
		Map<String, Double> example = Objects.requireNonNull(lastMoment.example());
		double early = Math.ceil((at(example, "gained-lowest") - at(example, "gained-set")) / A_LITTLE) * A_LITTLE;
		assertThat(gainOnTheWatchOfTheCode(early, unnoticed)).isZero();
		assertThat(gainOnTheWatchOfTheCode(early, most + 1)).isPositive();
	}

	@Test
	void aServerThatForgotALockWaitsUntilItsLeaseHasEnded() {
		ClockModel forgotten = GUARDED.without("key-expired").without("unnoticed").and("waited");
		assertThat(forgotten.with("ttl", millis(MAX_TTL)).with("validity", millis(MAX_TTL)).isPossible()).isFalse();
		assertThat(forgotten.with("ttl", millis(MAX_TTL))
			.with("validity", millis(MAX_TTL))
			.with("quarantine", millis(MAX_TTL) * (1 - DRIFT))
			.isPossible()).isTrue();
	}

	/**
	 * A proposal is close to the clock of each voter. So a counter of a node that is
	 * ahead can be further from the clock of another voter, which then raises its own to
	 * it.
	 */
	@Test
	void aLostCounterStartsAboveAllThatItForgotIfTheNodesClocksAreWithinHalfOfMaxTtl() {
		ClockModel lower = new ClockModel(GUARDED.values(), Set.of("once-voted-for", "waited-since", "not-above"));
		assertThat(lower.isPossible()).isFalse();
		assertThat(lower.with("spread", 2 * lower.value("bound")).isPossible()).isTrue();
	}

	private static ClockModel gaining(double millis) {
		return WATCHED.and("(>= gain " + ClockModel.decimal(millis) + ")");
	}

	/**
	 * Plays the example: the key is set just before an answer starts a window, and the
	 * next lock is taken after {@code max-ttl}.
	 * @return what the watch tells at the end, in microseconds
	 */
	private static long gainOnTheWatchOfTheCode(double earlyMillis, double allMillis) {
		ManualTime time = new ManualTime();
		ClockWatch watch = new ClockWatch(settings(), time, ScriptedServer.facts("a"));
		Duration pause = NodeSettings.CHECK_INTERVAL;
		Duration moment = Duration.ofMillis(1);
		assertThat(observe(watch, time, 0)).isZero();
		time.advance(pause);
		assertThat(observe(watch, time, 0)).isZero();
		time.advance(pause);
		assertThat(observe(watch, time, 0)).isZero();
		time.advance(pause.minus(moment));
		assertThat(observe(watch, time, 0)).isZero();
		time.advance(pause);
		assertThat(observe(watch, time, earlyMillis)).isZero();
		for (Duration gone = Duration.ZERO; gone.compareTo(MAX_TTL.minus(pause)) < 0; gone = gone.plus(pause)) {
			time.advance(pause);
			assertThat(observe(watch, time, earlyMillis)).isZero();
		}
		time.advance(pause.minus(moment));
		return observe(watch, time, allMillis);
	}

	private static long observe(ClockWatch watch, ManualTime time, double gainedMillis) {
		long micros = TimeUnit.NANOSECONDS.toMicros(time.nanoTime());
		return watch.observe(watch.range(time.nanoTime(), micros + Math.round(gainedMillis * 1000)));
	}

	private static void assertPossible(String control, ClockModel weakened) {
		assertThat(weakened.isPossible()).as(control).isTrue();
	}

	private static ClockModel twoLeases(Duration clockStep) {
		RedlockSettings settings = RedlockSettings.DEFAULTS.toBuilder().clockStep(clockStep).build();
		LockWorld world = new LockWorld(settings);
		double ttl = millis(settings.ttl());
		double validity = millis(world.redlock.attemptAndWait(world.now("stock:42")).orThrow().remaining());
		Map<String, Double> values = new LinkedHashMap<>();
		values.put("ttl", ttl);
		values.put("validity", validity);
		values.put("drift", DRIFT);
		values.put("step", millis(clockStep));
		values.put("granularity", ttl - ttl * DRIFT - millis(clockStep) - validity);
		values.put("max-ttl", millis(MAX_TTL));
		values.put("least-step", millis(ClockWatch.LEAST_STEP));
		values.put("per-drift", 1.0 / ClockWatch.MICROS_PER_DRIFT);
		values.put("look-period", millis(NodeSettings.CHECK_INTERVAL));
		values.put("quarantine", millis(settings().quarantine()));
		values.put("bound", settings().clockBoundMicros() / 1000.0);
		values.put("spread", millis(MAX_TTL) / 2);
		values.put("leniency", lenientMicros() / 1000.0);
		return new ClockModel(values,
				Set.of("T1-before-the-send", "rates", "ways", "quick-request", "unnoticed", "key-expired", "a-valid"));
	}

	private static long lenientMicros() {
		Matcher missing = MISSING_COUNTER.matcher(LockScript.ACQUIRE.text("run-id", null, Channels.PLAIN));
		assertThat(missing.find()).isTrue();
		return Long.parseLong(missing.group(1));
	}

	private static NodeSettings settings() {
		return NodeFixture.settings(true, MAX_TTL);
	}

	private static double at(Map<String, Double> example, String instant) {
		return Objects.requireNonNull(example.get(instant), instant);
	}

	private static double millis(Duration duration) {
		return duration.toNanos() / 1e6;
	}

}

package dev.redlock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.scheduling.support.CronExpression;
import org.springframework.scheduling.support.CronTrigger;
import org.springframework.scheduling.support.SimpleTriggerContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which tick a call is for.
 */
class JobTicksTests {

	private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

	private static final ZoneId LORD_HOWE = ZoneId.of("Australia/Lord_Howe");

	private static final Duration DAYS = Duration.ofDays(2);

	private static final Duration EARLY = Duration.ofSeconds(1);

	@ParameterizedTest(name = "{0} at {1}")
	@CsvSource({ "0 0 2 * * *, 2026-06-10T05:00:00Z, 2026-06-10T00:00:00Z",
			"0 0 2 * * *, 2026-06-10T00:00:00Z, 2026-06-10T00:00:00Z",
			"0 0 2 * * *, 2026-06-09T23:59:59.100Z, 2026-06-10T00:00:00Z",
			"0 0 2 * * *, 2026-06-09T23:59:58Z, 2026-06-09T00:00:00Z",
			"0 0 0 1 * *, 2026-06-28T23:59:58Z, 2026-05-31T22:00:00Z",
			"0 0 0 29 2 *, 2027-06-28T00:00:00Z, 2024-02-28T23:00:00Z",
			"0 0 0 29 2 MON, 2034-01-01T00:00:00Z, 2016-02-28T23:00:00Z",
			"0 0 0 29 2 SUN, 2026-06-10T00:00:00Z, 2004-02-28T23:00:00Z",
			"0 0 0 29 2 SUN, 2111-06-10T00:00:00Z, 2088-02-28T23:00:00Z",
			"0 0 0 29 2 MON, 2111-12-31T00:00:00Z, 2072-02-28T23:00:00Z",
			"* * * 1 1 *, 2026-06-28T00:00:00Z, 2026-01-01T22:59:59Z" })
	void aCallIsForTheLastTickThatIsNotAfterIt(String cron, Instant now, Instant tick) {
		assertThat(cron(cron).at(now, EARLY)).isEqualTo(tick);
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource({ "0 30 2 * * *, 0", "0 0 3 * * *, 1", "0 0 * * * *, 23", "0 */20 * * * *, 69" })
	void whenClocksAreSetForwardTheHourThatIsLeftOutHasNoTicks(String cron, int ticks) {
		assertThatTicksAreThoseOfSpring(cron, Instant.parse("2026-03-28T23:00:00Z"),
				Instant.parse("2026-03-29T22:00:00Z"), ticks);
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource({ "0 30 2 * * *, 2", "0 0 3 * * *, 1", "0 0 * * * *, 25", "0 */20 * * * *, 75" })
	void whenClocksAreSetBackTheHourThatIsRepeatedHasItsTicksTwice(String cron, int ticks) {
		assertThatTicksAreThoseOfSpring(cron, Instant.parse("2026-10-24T22:00:00Z"),
				Instant.parse("2026-10-25T23:00:00Z"), ticks);
	}

	/**
	 * Clocks on Lord Howe Island change by half an hour: back at 15:00 UTC in April, and
	 * forward at 15:30 UTC in October.
	 */
	@ParameterizedTest(name = "{0} from {1}")
	@CsvSource({ "0 15 * * * *, 2026-04-04T00:00:00Z", "0 45 * * * *, 2026-04-04T00:00:00Z",
			"0 40 1 * * *, 2026-04-04T00:00:00Z", "30 */7 * * * *, 2026-04-04T00:00:00Z",
			"0 15 * * * *, 2026-10-03T00:00:00Z", "0 15 2 * * *, 2026-10-03T00:00:00Z",
			"0 45 * * * *, 2026-10-03T00:00:00Z" })
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void aChangeOfClocksByHalfAnHourGivesTheTicksThatClocksOnTheWallShow(String cron, Instant from) {
		CronExpression expression = CronExpression.parse(cron);
		CronTicks ticks = new CronTicks(expression, LORD_HOWE);
		List<Instant> expected = new ArrayList<>();
		for (Instant second = from; second.isBefore(from.plus(DAYS)); second = second.plusSeconds(1)) {
			LocalDateTime wall = LocalDateTime.ofInstant(second, LORD_HOWE);
			if (wall.equals(expression.next(wall.minusSeconds(1)))) {
				expected.add(second);
			}
		}
		List<Instant> found = new ArrayList<>();
		Instant tick = ticks.at(expected.get(0), Duration.ZERO);
		while (tick.isBefore(from.plus(DAYS))) {
			found.add(tick);
			tick = tick.plus(ticks.after(tick));
		}
		assertThat(found).containsExactlyElementsOf(expected);
		Set<Instant> called = new LinkedHashSet<>();
		for (Instant now = expected.get(0); now.isBefore(from.plus(DAYS)); now = now.plusSeconds(20)) {
			called.add(ticks.at(now, Duration.ZERO));
		}
		assertThat(called).containsExactlyElementsOf(expected);
		assertThat(ticks.shortest(from)).isPositive();
	}

	@Test
	void callsOfAFixedRateAreOneTickEach() {
		for (int phase : new int[] { 0, 1, 500, 999 }) {
			RateTicks ticks = new RateTicks(Duration.ofSeconds(1));
			Set<Instant> found = new LinkedHashSet<>();
			for (int call = 0; call < 100; call++) {
				int jitter = (call * 37) % 41 - 20;
				Instant now = Instant.ofEpochSecond(1_800_000_000L + call).plusMillis(phase + jitter);
				Instant tick = ticks.at(now, Duration.ofMillis(500));
				assertThat(tick.getNano()).as("a multiple of the rate").isZero();
				found.add(tick);
			}
			// The first call may come just before its tick.
			assertThat(found).as("phase " + phase).hasSizeGreaterThanOrEqualTo(99);
		}
	}

	@Test
	void twoInstancesHaveTheSameTicksForAFixedRate() {
		Duration rate = Duration.ofSeconds(10);
		assertThat(new RateTicks(rate).at(Instant.ofEpochSecond(1_800_000_003L), EARLY))
			.isEqualTo(new RateTicks(rate).at(Instant.ofEpochSecond(1_800_000_008L), EARLY));
	}

	@Test
	void theShortestTimeBetweenTicksIsForeseen() {
		assertThat(cron("0 0 9,10 * * *").shortest(Instant.EPOCH)).isEqualTo(Duration.ofHours(1));
		assertThat(cron("0 0 0 1 * *").shortest(Instant.parse("2026-01-15T00:00:00Z"))).isBetween(Duration.ofDays(27),
				Duration.ofDays(28));
	}

	private static CronTicks cron(String cron) {
		return new CronTicks(CronExpression.parse(cron), BERLIN);
	}

	/**
	 * Calls come some time after Spring's fire times, and at every second of the day.
	 */
	private static void assertThatTicksAreThoseOfSpring(String cron, Instant from, Instant to, int expected) {
		CronTicks ticks = cron(cron);
		List<Instant> fired = fireTimes(cron, from, to);
		assertThat(fired).hasSize(expected);
		for (Instant fire : fired) {
			assertThat(ticks.at(fire, Duration.ZERO)).isEqualTo(fire);
		}
		Set<Instant> found = new LinkedHashSet<>();
		for (Instant now = from; now.isBefore(to); now = now.plusSeconds(30)) {
			Instant tick = ticks.at(now, Duration.ZERO);
			if (!tick.isBefore(from)) {
				found.add(tick);
			}
		}
		assertThat(found).containsExactlyElementsOf(fired);
	}

	private static List<Instant> fireTimes(String cron, Instant from, Instant to) {
		CronTrigger trigger = new CronTrigger(cron, BERLIN);
		List<Instant> times = new ArrayList<>();
		Instant last = from.minusSeconds(1);
		while (true) {
			SimpleTriggerContext context = new SimpleTriggerContext();
			context.update(last, last, last);
			Instant next = trigger.nextExecution(context);
			if (next == null || !next.isBefore(to)) {
				return times;
			}
			times.add(next);
			last = next;
		}
	}

}

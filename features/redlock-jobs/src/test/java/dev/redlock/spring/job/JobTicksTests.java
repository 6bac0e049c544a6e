package dev.redlock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.scheduling.support.CronExpression;
import org.springframework.scheduling.support.CronTrigger;
import org.springframework.scheduling.support.SimpleTriggerContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which tick a call is for.
 */
class JobTicksTests {

	private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

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
	 * Clocks are set back on Sunday, the second of November. Spring does not find Monday,
	 * the third, if it searches from that Sunday on.
	 */
	@ParameterizedTest(name = "{0}")
	@CsvSource({ "2025-11-03T06:00:00Z", "2025-11-03T06:00:05Z", "2025-11-20T00:00:00Z" })
	void theWeekdayNearestToTheFirstIsFoundBehindAChangeOfClocks(Instant now) {
		CronTicks ticks = new CronTicks(CronExpression.parse("0 0 1 1W * *"), ZoneId.of("America/New_York"));
		assertThat(ticks.at(now, EARLY)).isEqualTo(Instant.parse("2025-11-03T06:00:00Z"));
		assertThat(ticks.after(Instant.parse("2025-10-01T05:00:00Z")))
			.isEqualTo(Duration.between(Instant.parse("2025-10-01T05:00:00Z"), Instant.parse("2025-11-03T06:00:00Z")));
	}

	@Test
	void theMomentToWhichClocksAreSetBackIsTheNextTickAlsoOfAJobThatIsRare() {
		Instant first = Instant.parse("2026-10-25T00:00:00Z");
		assertThat(cron("0 0 2 * * *").after(first)).isEqualTo(Duration.ofHours(1));
		assertThat(cron("0 0 2 * * SUN").after(first)).isEqualTo(Duration.ofHours(1));
		assertThat(cron("0 0 2 25 10 *").after(first)).isEqualTo(Duration.ofHours(1));
	}

	/**
	 * Clocks on Lord Howe Island change by half an hour: back at 15:00 UTC in April, and
	 * forward at 15:30 UTC in October.
	 */
	@ParameterizedTest(name = "{0} from {1}")
	@CsvSource({ "0 15 * * * *, 2026-04-04T00:00:00Z", "0 45 * * * *, 2026-04-04T00:00:00Z",
			"0 40 1 * * *, 2026-04-04T00:00:00Z", "0 */7 * * * *, 2026-04-04T00:00:00Z",
			"0 15 * * * *, 2026-10-03T00:00:00Z", "0 15 2 * * *, 2026-10-03T00:00:00Z",
			"0 45 * * * *, 2026-10-03T00:00:00Z" })
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void aChangeOfClocksByHalfAnHourGivesTheTicksThatClocksOnTheWallShow(String cron, Instant from) {
		assertThatTicksAreThoseOnTheWall(cron, ZoneId.of("Australia/Lord_Howe"), from, from.plus(Duration.ofDays(2)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "0 30 2 * * *", "0 */25 1,23 * * *" })
	@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	@Tag("slow")
	void eachChangeOfClocksInTheWorldGivesTheTicksThatClocksOnTheWallShow(String cron) {
		Instant year = Instant.parse("2026-01-01T00:00:00Z");
		Map<ZoneOffsetTransition, ZoneId> changes = new HashMap<>();
		for (String id : ZoneId.getAvailableZoneIds()) {
			ZoneId zone = ZoneId.of(id);
			ZoneOffsetTransition change = zone.getRules().nextTransition(year);
			while (change != null && change.getInstant().isBefore(year.plus(Duration.ofDays(365)))) {
				changes.put(change, zone);
				change = zone.getRules().nextTransition(change.getInstant());
			}
		}
		assertThat(changes).hasSizeGreaterThan(30);
		changes.forEach((change, zone) -> assertThatTicksAreThoseOnTheWall(cron, zone,
				change.getInstant().minus(Duration.ofHours(26)), change.getInstant().plus(Duration.ofHours(26))));
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
		assertThat(cron("0 0 9,12,13 * * *").shortest(Instant.EPOCH)).as("not between the first two")
			.isEqualTo(Duration.ofHours(1));
		assertThat(cron("0 0 0 28 2,3 *").shortest(Instant.parse("2026-03-01T00:00:00Z"))).as("in the next year")
			.isLessThan(Duration.ofDays(29));
	}

	private static CronTicks cron(String cron) {
		return new CronTicks(CronExpression.parse(cron), BERLIN);
	}

	private static void assertThatTicksAreThoseOnTheWall(String cron, ZoneId zone, Instant from, Instant to) {
		CronExpression expression = CronExpression.parse(cron);
		CronTicks ticks = new CronTicks(expression, zone);
		List<Instant> expected = new ArrayList<>();
		for (Instant minute = from; minute.isBefore(to); minute = minute.plusSeconds(60)) {
			LocalDateTime wall = LocalDateTime.ofInstant(minute, zone);
			if (wall.equals(expression.next(wall.minusSeconds(1)))) {
				expected.add(minute);
			}
		}
		Instant first = expected.get(0);
		List<Instant> following = new ArrayList<>();
		for (Instant tick = first; tick.isBefore(to); tick = tick.plus(ticks.after(tick))) {
			following.add(tick);
		}
		assertThat(following).as("%s in %s", cron, zone).containsExactlyElementsOf(expected);
		Set<Instant> called = new LinkedHashSet<>();
		for (Instant now = first; now.isBefore(to); now = now.plusSeconds(300)) {
			called.add(ticks.at(now, Duration.ZERO));
		}
		called.add(ticks.at(to.minusSeconds(1), Duration.ZERO));
		assertThat(called).as("%s in %s", cron, zone)
			.isSubsetOf(expected)
			.contains(first, expected.get(expected.size() - 1));
		assertThat(ticks.shortest(from)).isPositive();
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

package dev.redlock.lettuce.internal.clock;

import java.util.ArrayList;
import java.util.List;

import dev.redlock.lettuce.internal.clock.ClockWatch.Gain;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The decision between a pause and a step, for five nodes and in milliseconds.
 */
class GainsTests {

	@ParameterizedTest(name = "gains of {0}, {1} of them corrections: paused for {2}, leases end {3} earlier")
	@CsvSource(textBlock = """
			200 200 200 200 200, 0, 200, 200
			200 200 200,         0, 200, 200
			240 200 200 200 200, 0, 200, 240
			900 900 200 200 200, 0, 200, 900
			200 0   0   0   0,   0, 0,   0
			200 200 200 200 0,   0, 0,   200
			200 251 302 353 404, 0, 0,   302
			200 200,             0, 0,   0
			200 200 200 200 200, 2, 200, 200
			200 200 200 200 200, 3, 0,   200
			""")
	void allClocksTellAPauseOfThisProcess(String gained, int corrected, long paused, long missed) {
		List<Gain> each = new ArrayList<>();
		for (String millis : gained.split(" +")) {
			long micros = Long.parseLong(millis) * 1000;
			each.add(new Gain(micros, micros, each.size() < corrected));
		}
		Gains gains = new Gains(each, each, 3);
		assertThat(gains.pauseMicros()).isEqualTo(paused * 1000);
		assertThat(gains.missedMicros()).isEqualTo(missed * 1000);
	}

	@ParameterizedTest(name = "gains of {0} ms need another round: {1}")
	@CsvSource(textBlock = """
			190-215 190-215 190-215, false
			0-5     190-215 190-215, false
			0-210   190-215 190-215, true
			190-215 190-215,         true
			0-5     190-215,         false
			'',                      true
			""")
	void slowAnswersAndTooFewAreNotDecidedYet(String gained, boolean tooVague) {
		List<Gain> each = new ArrayList<>();
		for (String range : gained.split(" +")) {
			String[] millis = range.split("-");
			if (millis.length == 2) {
				each.add(new Gain(Long.parseLong(millis[0]) * 1000, Long.parseLong(millis[1]) * 1000, false));
			}
		}
		assertThat(new Gains(each, each, 3).areTooVague()).isEqualTo(tooVague);
	}

}

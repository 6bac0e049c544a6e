package dev.redlock.sim;

import dev.redlock.sim.Plan.Weakness;
import dev.redlock.sim.SmallScope.Scene;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every order of the events of two clients on three nodes. The first three numbers are
 * the counters of the nodes at the start, the other two what the clients take the time to
 * be.
 */
class SmallScopeTests {

	@ParameterizedTest
	@CsvSource({ "9,0,0, 5,5", "9,0,0, 5,7", "9,7,0, 5,8" })
	void whileTheWinnerHoldsNobodyElseWinsInAnyOrderOfEvents(long a, long b, long c, long first, long second) {
		assertKept(new Scene(counters(a, b, c), clocks(first, second), false, false, Weakness.NONE));
	}

	@ParameterizedTest
	@CsvSource("9,0,0, 5,7")
	void fencesRiseInAnyOrderOfEvents(long a, long b, long c, long first, long second) {
		assertKept(new Scene(counters(a, b, c), clocks(first, second), true, false, Weakness.NONE));
	}

	@ParameterizedTest
	@CsvSource("9,0,0, 5,7")
	void fencesAreUniqueWhateverMomentAKeyIsLostAt(long a, long b, long c, long first, long second) {
		assertKept(new Scene(counters(a, b, c), clocks(first, second), false, true, Weakness.NONE));
	}

	@ParameterizedTest
	@CsvSource({ "9,0,0, 5,7", "9,0,0, 5,10", "9,7,0, 5,8" })
	@Tag("long")
	void fencesRiseInAnyOrderOfEventsWithTheLossOfAKey(long a, long b, long c, long first, long second) {
		if (Boolean.getBoolean("redlock.sim.exhaustive")) {
			assertKept(new Scene(counters(a, b, c), clocks(first, second), true, true, Weakness.NONE));
		}
	}

	@ParameterizedTest
	@CsvSource({ "9,0,0, 5,5, NO_RAISE, false", "9,0,0, 5,10, UNOWNED_RAISE, true" })
	void aWeakerLockIsCaught(long a, long b, long c, long first, long second, Weakness weakness, boolean loss) {
		Scene scene = new Scene(counters(a, b, c), clocks(first, second), weakness == Weakness.NO_RAISE, loss,
				weakness);
		assertThat(new SmallScope(scene).explore().violations()).isNotEmpty();
	}

	private static void assertKept(Scene scene) {
		SmallScope scope = new SmallScope(scene).explore();
		assertThat(scope.violations()).as("%s", scope.witnesses()).isEmpty();
		assertThat(scope.stories()).as("orders of events").isGreaterThan(1_000);
	}

	private static long[] counters(long... counters) {
		return counters;
	}

	private static long[] clocks(long... clocks) {
		return clocks;
	}

}

package dev.redlock.sim;

import java.util.concurrent.TimeUnit;

import dev.redlock.sim.Plan.Weakness;
import dev.redlock.sim.SmallScope.Scene;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every order of the events of two clients on three nodes. The first three numbers are
 * the counters of the nodes at the start, the other two what the clients take the time to
 * be. The longest are slow tests, or are told with {@code -Dredlock.sim.exhaustive=true}.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SmallScopeTests {

	@ParameterizedTest
	@CsvSource("9,7,0, 5,8")
	void whileTheWinnerHoldsNobodyElseWinsInAnyOrderOfEvents(long a, long b, long c, long first, long second) {
		assertKept(new Scene(counters(a, b, c), clocks(first, second), false, false, Weakness.NONE));
	}

	@ParameterizedTest
	@CsvSource({ "9,0,0, 5,5", "9,0,0, 5,7" })
	@Tag("slow")
	void whileTheWinnerHoldsNobodyElseWinsFromOtherCounters(long a, long b, long c, long first, long second) {
		whileTheWinnerHoldsNobodyElseWinsInAnyOrderOfEvents(a, b, c, first, second);
	}

	@ParameterizedTest
	@CsvSource("0,9, 8,5")
	void fencesRiseInAnyOrderOfEventsOnTwoNodes(long a, long b, long first, long second) {
		assertKept(new Scene(counters(a, b), clocks(first, second), true, false, Weakness.NONE));
	}

	@ParameterizedTest
	@CsvSource({ "9,0, 5,7", "9,7, 5,8" })
	@Tag("slow")
	void fencesRiseFromOtherCountersOnTwoNodes(long a, long b, long first, long second) {
		fencesRiseInAnyOrderOfEventsOnTwoNodes(a, b, first, second);
	}

	@ParameterizedTest
	@CsvSource({ "9, 5,7, false", "0, 8,5, false", "9, 5,7, true" })
	void allIsKeptInAnyOrderOfEventsOnOneNode(long counter, long first, long second, boolean loss) {
		assertKept(new Scene(counters(counter), clocks(first, second), !loss, loss, Weakness.NONE), 10);
	}

	@ParameterizedTest
	@CsvSource({ "9,0,0, 5,7", "9,7,0, 5,8" })
	@EnabledIfSystemProperty(named = "redlock.sim.exhaustive", matches = "true")
	void fencesRiseInAnyOrderOfEvents(long a, long b, long c, long first, long second) {
		assertKept(new Scene(counters(a, b, c), clocks(first, second), true, false, Weakness.NONE));
	}

	@ParameterizedTest
	@CsvSource({ "9,0, 5,7", "0,9, 8,5" })
	void fencesAreUniqueOnTwoNodesWhateverMomentAKeyIsLostAt(long a, long b, long first, long second) {
		assertKept(new Scene(counters(a, b), clocks(first, second), false, true, Weakness.NONE));
	}

	@ParameterizedTest
	@CsvSource("9,0,0, 5,7")
	@Tag("slow")
	void fencesAreUniqueWhateverMomentAKeyIsLostAt(long a, long b, long c, long first, long second) {
		assertKept(new Scene(counters(a, b, c), clocks(first, second), false, true, Weakness.NONE));
	}

	@Test
	void ofTwoWhoUseOneTicketAtMostOneWinsInAnyOrderOfEvents() {
		assertKept(new Scene(counters(9, 7, 0), clocks(5, 8), false, false, Weakness.NONE, true, false));
	}

	/**
	 * The predecessor's own command lands late, and a node loses its key.
	 */
	@Test
	void nobodyHasTheLockBetweenAPredecessorAndItsSuccessorInAnyOrderOfEvents() {
		assertKept(new Scene(counters(9, 7, 0), clocks(5), false, true, Weakness.NONE, true, false));
	}

	@ParameterizedTest
	@CsvSource({ "9,0, 5,7" })
	void aLockIsHandedOverWithinAProcessInAnyOrderOfEvents(long a, long b, long first, long second) {
		assertKept(handOver(counters(a, b), clocks(first, second), false));
	}

	@ParameterizedTest
	@CsvSource({ "9,0, 5,7", "9,7, 5,8" })
	@Tag("slow")
	void aLockIsHandedOverWithinAProcessWhateverMomentAKeyIsLostAt(long a, long b, long first, long second) {
		assertKept(handOver(counters(a, b), clocks(first, second), true));
	}

	@Test
	void aLockIsHandedOverOnOneNodeWhateverMomentItsKeyIsLostAt() {
		assertKept(handOver(counters(9), clocks(5, 7), true));
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_KEPT", "FENCE_KEPT" })
	void aWeakerHandOverIsCaught(Weakness weakness) {
		Scene scene = new Scene(counters(9, 0), clocks(5, 7), true, false, weakness, false, true);
		assertThat(new SmallScope(scene).explore().violations()).isNotEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "2, false, TOKEN_KEPT", "2, false, FENCE_KEPT", "2, false, KEY_NOT_COMPARED",
			"1, true, FREE_KEY_TAKEN", "1, true, COUNTER_NOT_COMPARED", "1, true, TRIES_ADDED" })
	void aWeakerSuccessionIsCaught(int clients, boolean loss, Weakness weakness) {
		long[] clocks = (clients == 1) ? clocks(5) : clocks(5, 8);
		Scene scene = new Scene(counters(9, 7, 0), clocks, false, loss, weakness, true, false);
		assertThat(new SmallScope(scene).explore().violations()).isNotEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "9,0,0, 5,5, NO_RAISE, false", "9,0,0, 5,10, UNOWNED_RAISE, true" })
	void aWeakerLockIsCaught(long a, long b, long c, long first, long second, Weakness weakness, boolean loss) {
		Scene scene = new Scene(counters(a, b, c), clocks(first, second), weakness == Weakness.NO_RAISE, loss,
				weakness);
		assertThat(new SmallScope(scene).explore().violations()).isNotEmpty();
	}

	private static void assertKept(Scene scene) {
		assertKept(scene, 100);
	}

	private static void assertKept(Scene scene, int leastStories) {
		SmallScope scope = new SmallScope(scene).explore();
		assertThat(scope.violations()).as("%s", scope.witnesses()).isEmpty();
		assertThat(scope.stories()).as("orders of events").isGreaterThan(leastStories);
	}

	private static Scene handOver(long[] counters, long[] clocks, boolean loss) {
		return new Scene(counters, clocks, true, loss, Weakness.NONE, false, true);
	}

	private static long[] counters(long... counters) {
		return counters;
	}

	private static long[] clocks(long... clocks) {
		return clocks;
	}

}

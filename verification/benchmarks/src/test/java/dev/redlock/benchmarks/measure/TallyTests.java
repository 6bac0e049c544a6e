package dev.redlock.benchmarks.measure;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TallyTests {

	@Test
	void survivesTheWayToAnotherProcess() {
		Waits waits = new Waits();
		waits.record(5_000);
		Tally tally = new Tally(List.of(3L, 1L), 2, 1_000_000_000, waits, "It broke\nbadly");
		Tally decoded = Tally.decode(tally.encode());
		assertThat(decoded.locks()).containsExactly(3L, 1L);
		assertThat(decoded.failures()).isEqualTo(2);
		assertThat(decoded.perSecond()).isEqualTo(4);
		assertThat(decoded.waits().micros(1)).isEqualTo(5);
		assertThat(decoded.complaint()).isEqualTo("It broke badly");
	}

	@Test
	void processesThatWorkAtTheSameTimeAddUp() {
		Tally sum = Tally.sum(List.of(tally(10, 1_000), tally(30, 2_000)));
		assertThat(sum.total()).isEqualTo(40);
		assertThat(sum.nanos()).isEqualTo(2_000);
	}

	@Test
	void fairnessIsTheSmallestShareOfWhatIsFair() {
		assertThat(Tally.sum(List.of(tally(10, 1), tally(30, 1))).smallestShare()).isEqualTo(0.5);
		assertThat(Tally.sum(List.of(tally(20, 1), tally(20, 1))).smallestShare()).isEqualTo(1);
		assertThat(Tally.sum(List.of(tally(0, 1), tally(0, 1))).smallestShare()).isZero();
	}

	private static Tally tally(long locks, long nanos) {
		return new Tally(List.of(locks), 0, nanos, new Waits(), "");
	}

}

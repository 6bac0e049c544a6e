package dev.redlock.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RoundsTests {

	private final List<String> turns = new ArrayList<>();

	@Test
	void everyRoundBeginsWithAnotherLane() {
		Map<String, Series> series = new Rounds(3, 1, 7).measure(Stream.of("a", "b", "c").map(this::lane).toList());
		assertThat(this.turns).containsExactly("a7", "b7", "c7", "a1", "b1", "c1", "b1", "c1", "a1", "c1", "a1", "b1");
		assertThat(series.keySet()).containsExactly("a", "b", "c");
		assertThat(series.values()).allSatisfy((each) -> assertThat(each.rounds()).hasSize(3));
	}

	@Test
	void briefRoundsAreFewerAndWarmedUpForLess() {
		Rounds rounds = new Rounds(5, 1_000, 2_000);
		assertThat(rounds.brief()).isEqualTo(new Rounds(3, 1_000, 1_000));
		assertThat(new Rounds(2, 1_000, 2_000).brief().count()).isEqualTo(2);
		assertThat(rounds.times(2)).isEqualTo(new Rounds(5, 2_000, 2_000));
	}

	private Lane lane(String label) {
		return new Lane(label, "a", (millis) -> {
			this.turns.add(label + millis);
			return new Round(new Tally(List.of(1L), 0, 1, new Waits(), ""), true, 1, 1);
		});
	}

}

package dev.redlock.sample.demo;

import dev.redlock.sample.demo.Journal.Pages;
import dev.redlock.sample.demo.Note.Tone;
import dev.redlock.sample.demo.Turn.Phase;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JournalTests {

	private final Journal journal = new Journal();

	@Test
	void aReaderGoesOnBehindWhatItHasRead() {
		this.journal.turnChanged(turn(1, Phase.WAITING));
		Pages first = this.journal.since(Position.START);
		this.journal.turnChanged(turn(2, Phase.WAITING));
		assertThat(first.turns()).extracting(Turn::number).containsExactly(1L);
		assertThat(this.journal.since(first.last()).turns()).extracting(Turn::number).containsExactly(2L);
		assertThat(this.journal.since(Position.START).turns()).extracting(Turn::number)
			.containsExactlyInAnyOrder(1L, 2L);
	}

	@Test
	void ofEachTurnOnlyHowItStandsNowIsTold() {
		this.journal.turnChanged(turn(1, Phase.WAITING));
		this.journal.turnChanged(turn(1, Phase.SOLD));
		assertThat(this.journal.since(Position.START).turns()).extracting(Turn::phase).containsExactly(Phase.SOLD);
	}

	@Test
	void aReaderOfAnotherChapterBeginsAnew() {
		this.journal.turnChanged(turn(1, Phase.SOLD));
		this.journal.turnChanged(turn(2, Phase.SOLD));
		Position before = this.journal.since(Position.START).last();
		this.journal.clear();
		this.journal.turnChanged(turn(3, Phase.SOLD));
		Pages pages = this.journal.since(before);
		assertThat(pages.turns()).extracting(Turn::number).containsExactly(3L);
		assertThat(pages.last().chapter()).isNotEqualTo(before.chapter());
	}

	@Test
	void aRefusedWriteIsNoted() {
		this.journal.turnChanged(turn(1, Phase.REFUSED));
		assertThat(this.journal.since(Position.START).notes()).singleElement()
			.satisfies((note) -> assertThat(note.text()).startsWith("Refused: JVM 1, buyer 4"))
			.satisfies((note) -> assertThat(note.tone()).isEqualTo(Tone.GOOD));
	}

	private static Turn turn(long number, Phase phase) {
		return new Turn("JVM 1", 4, number, Protection.LOCK_AND_FENCE, 10_000_000, 10_100_000, 0, 10_200_000, 42, false,
				phase, "its fence 42 is behind 43");
	}

}

package dev.redlock.sample.demo;

import java.util.Locale;
import java.util.Optional;

import dev.redlock.sample.demo.Note.Tone;

/**
 * Writes a note about turns that people should notice.
 */
final class Headlines {

	private Headlines() {
	}

	static Optional<Note> of(Turn turn) {
		String who = turn.jvm() + ", buyer " + turn.buyer();
		return switch (turn.phase()) {
			case HOLDING -> whileHolding(turn, who);
			case REFUSED -> note(turn.endMicros(), Tone.GOOD, "Refused: " + who + " woke up and wanted to write, but "
					+ turn.detail() + ". Nothing was written.");
			case WRONG -> note(turn.endMicros(), Tone.BAD, "Wrong write: " + who
					+ " woke up and wrote an old number over what others had sold since. The stock did not check its fence.");
			case LATE -> note(turn.endMicros(), Tone.WARNING, "Late: " + who
					+ " wrote after its lock had ended. It did no harm, because no other buyer had bought in between.");
			case GAVE_UP -> note(turn.endMicros(), Tone.WARNING, "Gave up: " + who + " waited "
					+ (turn.endMicros() - turn.waitingMicros()) / 1_000 + " ms for the lock. " + turn.detail() + ".");
			case FAILED -> note(turn.endMicros(), Tone.BAD, "Failed: " + who + ". " + turn.detail());
			case WAITING, SOLD, SOLD_OUT, STOPPED -> Optional.empty();
		};
	}

	private static Optional<Note> whileHolding(Turn turn, String who) {
		if (turn.lostMicros() > 0) {
			return note(turn.lostMicros(), Tone.WARNING, "Lost: the lock of " + who
					+ " has ended while it stands still. The nodes give the lock to the next buyer.");
		}
		return turn.paused()
				? note(turn.holdingMicros(), Tone.WARNING,
						"Paused: " + who + " stands still with the lock, for longer than the lock lasts.")
				: Optional.empty();
	}

	private static Optional<Note> note(long micros, Tone tone, String text) {
		String mark = text.substring(0, text.indexOf(':')).toLowerCase(Locale.ROOT);
		return Optional.of(new Note(micros, tone, text, mark));
	}

}

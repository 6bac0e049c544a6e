package dev.redlock.lettuce;

import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;

import dev.redlock.spi.Claim;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;
import dev.redlock.spi.Vote.Seen;
import org.jspecify.annotations.Nullable;

/**
 * Translates the answers of the scripts into votes.
 */
final class ScriptReply {

	private static final int GRANTED = 1;

	private static final int HELD = 2;

	private static final int MISSING = 3;

	private static final int LOST = 4;

	private static final int RELEASED = 5;

	private static final int CLOCK = 6;

	private static final int TAKEN = 7;

	private static final int NOT_NOW = 8;

	/** The claim was released, but the release was not announced to all listeners. */
	static final int RELEASED_SILENTLY = 9;

	private static final int SEEN = 10;

	private ScriptReply() {
	}

	/**
	 * Returns the vote of a script.
	 */
	static Vote of(long code, long first, long second, @Nullable String holder) {
		return switch ((int) code) {
			case GRANTED -> new Granted(first, second);
			case RELEASED, RELEASED_SILENTLY -> new Granted(Claim.UNFENCED, 0, (int) first);
			case HELD -> Refused.heldBy(holder, left(first));
			case MISSING -> Refused.because(Refusal.MISSING);
			case LOST -> Refused.because(Refusal.LOST);
			case CLOCK -> new Faulted(Fault.CLOCK,
					"The clock of the server is too far from the fence that this client proposed", false, first);
			case TAKEN -> new Refused(Refusal.TAKEN, null, null, first);
			case NOT_NOW -> new Faulted(Fault.CLOCK, "The clock of the server is too far from the tick", false, first);
			case SEEN ->
				new Seen(Stream.of(Objects.requireNonNull(holder).split("\n", -1)).map(ScriptReply::seen).toList());
			default -> new Faulted(Fault.ERROR, "The script answered with the unknown code " + code, false);
		};
	}

	private static Vote seen(String line) {
		int space = line.indexOf(' ');
		return line.isEmpty() ? Granted.PLAIN
				: Refused.heldBy(line.substring(space + 1), left(Long.parseLong(line.substring(0, space))));
	}

	private static @Nullable Duration left(long millis) {
		return (millis >= 0) ? Duration.ofMillis(millis) : null;
	}

	/**
	 * Returns the time of the server, or 0 if the vote does not include a time.
	 */
	static long serverMicros(Vote vote) {
		if (vote instanceof Granted granted) {
			return granted.nodeMicros();
		}
		return (vote instanceof Faulted faulted) ? faulted.nodeMicros() : 0;
	}

	/**
	 * Returns the replacement for a vote that shows a step of the clock. The step may
	 * have ended the lock of another holder, so a grant does not count.
	 */
	static Faulted afterClockStep(long serverMicros) {
		return new Faulted(Fault.STALE, "The clock stepped forward, which ends locks early", true, serverMicros);
	}

}

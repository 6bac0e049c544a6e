package dev.redlock.lettuce.internal.script;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.stream.Stream;

import dev.redlock.spi.Claim;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;
import dev.redlock.spi.Vote.Seen;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a script, which becomes the node's vote on a lock.
 */
public final class ScriptReply extends CommandOutput<String, String, Void> {

	private final ScriptCall call;

	private int count;

	private long code;

	private long first;

	private long second;

	private int third;

	private @Nullable String holder;

	ScriptReply(ScriptCall call) {
		super(StringCodec.UTF8, null);
		this.call = call;
	}

	@Override
	public void set(long number) {
		switch (this.count++) {
			case 0 -> this.code = number;
			case 1 -> this.first = number;
			case 2 -> this.second = number;
			case 3 -> this.third = (int) number;
		}
	}

	@Override
	public void set(@Nullable ByteBuffer bytes) {
		this.holder = (bytes != null) ? this.codec.decodeValue(bytes) : null;
	}

	public boolean isUnannounced() {
		return this.code == Code.SILENT.number();
	}

	/**
	 * Whether a script may have given this answer: a code and at least one more number,
	 * or one negative number.
	 */
	boolean isReadable() {
		if (this.count == 1) {
			return this.code < 0;
		}
		return this.count > 1 && this.code > 0 && this.code <= Code.values().length && (this.code != Code.SEEN.number()
				|| lines().allMatch((line) -> line.matches("(?s)(-?\\d{1,18} .*)?")));
	}

	/**
	 * Describes an answer that cannot be read, without its text, which may be a token.
	 */
	String described() {
		return "the server or a proxy answered a script with the numbers " + this.code + ", " + this.first + " and "
				+ this.second + ((this.holder != null) ? ", and a text" : "");
	}

	/**
	 * Returns the vote of a readable answer.
	 */
	public Vote vote() {
		if (this.code < 0) {
			return done(-this.code);
		}
		return switch (Code.values()[(int) this.code - 1]) {
			case GRANTED -> new Granted(this.first, this.second, this.third);
			case SILENT -> new Granted(Claim.UNFENCED, 0, (int) this.first);
			case HELD -> Refused.heldBy(this.holder, left(this.first));
			case MISSING -> Refused.because(Refusal.MISSING);
			case LOST -> Refused.because(Refusal.LOST);
			case CLOCK -> new Faulted(Fault.CLOCK,
					"The clock of the server differs too much from the clock of this client or of the other servers. "
							+ "Synchronize the clocks",
					false, this.first);
			case TAKEN -> new Refused(Refusal.TAKEN, null, null, this.first);
			case NOT_NOW -> new Faulted(Fault.CLOCK,
					"The due time of the job is too far from the server's clock. Check the due time and the clock",
					false, this.first);
			case SEEN -> new Seen(lines().map(ScriptReply::seen).toList());
		};
	}

	/**
	 * Returns the vote of a script that did what it was asked for.
	 */
	private Vote done(long number) {
		return (this.call.script() == LockScript.RELEASE) ? new Granted(Claim.UNFENCED, 0, (int) number - 1)
				: new Granted(this.call.number(), number);
	}

	private Stream<String> lines() {
		return Stream.of(String.valueOf(this.holder).split("\n", -1));
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
	 * The first element of a script's answer. Zero is no code, because an answer without
	 * a number must not count as a vote. In the text of a script, {@code $HELD} stands
	 * for the number of {@link #HELD}, likewise for every code.
	 */
	enum Code {

		GRANTED, HELD, MISSING, LOST, CLOCK, TAKEN, NOT_NOW,

		/**
		 * The lock was released, but its release could not be announced to all
		 * subscribers.
		 */
		SILENT,

		SEEN;

		int number() {
			return ordinal() + 1;
		}

		static String inserted(String script) {
			String text = script;
			for (Code code : values()) {
				text = text.replace("$" + code, Integer.toString(code.number()));
			}
			return text;
		}

	}

}

package dev.redlock.lettuce;

import java.nio.ByteBuffer;
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
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a script, which becomes the node's vote on a lock.
 */
final class ScriptReply extends CommandOutput<String, String, Void> {

	private static final int GRANTED = 1;

	private static final int HELD = 2;

	private static final int MISSING = 3;

	private static final int LOST = 4;

	private static final int RELEASED = 5;

	private static final int CLOCK = 6;

	private static final int TAKEN = 7;

	private static final int NOT_NOW = 8;

	/**
	 * The code for a lock that was released although its release was not announced to all
	 * subscribers.
	 */
	private static final int RELEASED_SILENTLY = 9;

	private static final int SEEN = 10;

	private int count;

	private long code;

	private long first;

	private long second;

	private @Nullable String holder;

	ScriptReply() {
		super(StringCodec.UTF8, null);
	}

	@Override
	public void set(long number) {
		switch (this.count++) {
			case 0 -> this.code = number;
			case 1 -> this.first = number;
			case 2 -> this.second = number;
			default -> {
			}
		}
	}

	@Override
	public void set(@Nullable ByteBuffer bytes) {
		this.holder = (bytes != null) ? this.codec.decodeValue(bytes) : null;
	}

	boolean isUnannounced() {
		return this.code == RELEASED_SILENTLY;
	}

	Vote vote() {
		return switch ((int) this.code) {
			case GRANTED -> new Granted(this.first, this.second);
			case RELEASED, RELEASED_SILENTLY -> new Granted(Claim.UNFENCED, 0, (int) this.first);
			case HELD -> Refused.heldBy(this.holder, left(this.first));
			case MISSING -> Refused.because(Refusal.MISSING);
			case LOST -> Refused.because(Refusal.LOST);
			case CLOCK -> new Faulted(Fault.CLOCK,
					"The clock of the server differs too much from the time in the fence that this client proposed",
					false, this.first);
			case TAKEN -> new Refused(Refusal.TAKEN, null, null, this.first);
			case NOT_NOW -> new Faulted(Fault.CLOCK,
					"The clock of the server differs too much from the due time of the tick", false, this.first);
			case SEEN -> new Seen(
					Stream.of(Objects.requireNonNull(this.holder).split("\n", -1)).map(ScriptReply::seen).toList());
			default -> new Faulted(Fault.ERROR, "The script answered with the unknown code " + this.code, false);
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

}

package dev.redlock.spring.redis;

import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Something that is asked through a {@link ServerLink}.
 *
 * @param <T> what the server answers
 */
abstract class LinkCommand<T> extends Command<String, String, T> {

	private final Pulse pulse;

	private final long calledNanos;

	/**
	 * The next older command while both wait to be written, then the next younger one
	 * while both wait for their answers.
	 */
	private @Nullable LinkCommand<?> neighbour;

	private int waiting;

	LinkCommand(Pulse pulse, ProtocolKeyword type, @Nullable CommandOutput<String, String, T> output,
			@Nullable CommandArgs<String, String> arguments) {
		super(type, output, arguments);
		this.pulse = pulse;
		this.calledNanos = pulse.now();
	}

	/**
	 * When it was called, by the monotonic clock. The server did not see it before.
	 */
	long calledNanos() {
		return this.calledNanos;
	}

	/**
	 * Takes its place behind another command that waits to be written.
	 * @return how many wait now
	 */
	int calledAfter(@Nullable LinkCommand<?> older) {
		this.neighbour = older;
		this.waiting = (older != null) ? older.waiting + 1 : 1;
		return this.waiting;
	}

	void followedBy(LinkCommand<?> younger) {
		this.neighbour = younger;
	}

	/**
	 * Leaves its place.
	 * @return who is next
	 */
	@Nullable LinkCommand<?> leave() {
		LinkCommand<?> next = this.neighbour;
		this.neighbour = null;
		return next;
	}

	/**
	 * Called on the I/O thread when it is about to be sent.
	 */
	@Override
	public final void encode(ByteBuf buffer) {
		this.pulse.written(this);
		write(buffer);
	}

	void write(ByteBuf buffer) {
		super.encode(buffer);
	}

	/**
	 * It is unknown what became of it. If its answer comes all the same, it would be
	 * taken for that of the next command: the connection has to go.
	 */
	@Override
	public boolean completeExceptionally(Throwable cause) {
		if (LinkErrors.fault(cause).mayHaveRun()) {
			this.pulse.lost();
		}
		return super.completeExceptionally(cause);
	}

	/**
	 * Called on the I/O thread when it was answered.
	 */
	@Override
	public void complete() {
		super.complete();
		this.pulse.answered(this);
	}

}

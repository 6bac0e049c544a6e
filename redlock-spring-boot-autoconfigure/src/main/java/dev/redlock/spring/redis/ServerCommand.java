package dev.redlock.spring.redis;

import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import org.jspecify.annotations.Nullable;

/**
 * A command on one {@link ServerConnection}. Lettuce completes it on the I/O thread of
 * the connection; what follows from that happens on the event loop.
 *
 * @param <T> what the server answers
 */
abstract class ServerCommand<T> extends Command<String, String, T> {

	private final ConnectionWatchdog watchdog;

	private final long sentNanos;

	private boolean ended;

	ServerCommand(ConnectionWatchdog watchdog, ProtocolKeyword type, CommandOutput<String, String, T> output,
			@Nullable CommandArgs<String, String> arguments) {
		super(type, output, arguments);
		this.watchdog = watchdog;
		this.sentNanos = watchdog.now();
	}

	/**
	 * When it was handed to its connection, by the monotonic clock. The server did not
	 * see it before.
	 */
	final long sentNanos() {
		return this.sentNanos;
	}

	/**
	 * The server has answered; perhaps with an error, which the output tells.
	 */
	abstract void answered();

	/**
	 * The server has not answered, and will not.
	 * @param cause why
	 */
	abstract void failed(Throwable cause);

	@Override
	public final void complete() {
		super.complete();
		this.watchdog.onLoop(this::end);
	}

	@Override
	public final boolean completeExceptionally(Throwable cause) {
		boolean completed = super.completeExceptionally(cause);
		this.watchdog.onLoop(() -> fail(cause));
		return completed;
	}

	@Override
	public final void cancel() {
		super.cancel();
		this.watchdog.onLoop(() -> fail(ConnectionErrors.CLOSED));
	}

	private void end() {
		if (!this.ended) {
			this.ended = true;
			this.watchdog.answered(this);
			answered();
		}
	}

	/**
	 * Where it is unknown what became of the command, its answer may still come, and
	 * would be taken for that of the next one: the connection has to go.
	 */
	private void fail(Throwable cause) {
		if (!this.ended) {
			this.ended = true;
			this.watchdog.withdrawn(this);
			if (ConnectionErrors.fault(cause).mayHaveRun()) {
				this.watchdog.lost();
			}
			failed(cause);
		}
	}

}

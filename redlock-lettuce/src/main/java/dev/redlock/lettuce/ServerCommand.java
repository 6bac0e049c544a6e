package dev.redlock.lettuce;

import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import org.jspecify.annotations.Nullable;

/**
 * A command on one {@link ServerConnection}. Lettuce completes it on the I/O thread of
 * the connection, and the consequences run on the event loop.
 *
 * @param <T> the type of the answer
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
	 * Returns when the command was handed to its connection, by the monotonic clock. The
	 * server cannot have seen it earlier.
	 */
	final long sentNanos() {
		return this.sentNanos;
	}

	/**
	 * Handles the answer of the server. It may be an error, which is in the output.
	 */
	abstract void answered();

	/**
	 * Handles that there is no answer.
	 * @param cause the reason
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
	 * Fails the command. If the server may have run it, its answer may still come and
	 * would be taken for the answer of the next command, so the connection must be
	 * closed.
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

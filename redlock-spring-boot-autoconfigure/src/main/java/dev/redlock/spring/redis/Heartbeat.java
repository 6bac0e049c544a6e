package dev.redlock.spring.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;

/**
 * A PING. As one connection answers in order, one that was answered tells that everything
 * sent before it was answered too, so nothing else needs a watch of its own.
 */
final class Heartbeat extends Command<String, String, String> {

	private final ServerLink link;

	private volatile boolean failed;

	Heartbeat(ServerLink link) {
		super(CommandType.PING, new StatusOutput<>(StringCodec.UTF8));
		this.link = link;
	}

	/**
	 * Whether it never reached the server, or its answer never will reach us. An answer
	 * that is an error is a sign of life too.
	 */
	boolean failed() {
		return this.failed;
	}

	@Override
	public void complete() {
		super.complete();
		this.link.answered();
	}

	@Override
	public boolean completeExceptionally(Throwable cause) {
		this.failed = true;
		return super.completeExceptionally(cause);
	}

	@Override
	public void cancel() {
		this.failed = true;
		super.cancel();
	}

}

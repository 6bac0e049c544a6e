package dev.redlock.spring.redis;

import java.util.List;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandType;

/**
 * Asks for the time. As one connection answers in order, an answer tells that everything
 * sent before it was answered too, so nothing else needs a watch of its own; and the time
 * tells whether the clock of an idle server has stepped.
 */
final class Heartbeat extends LinkCommand<List<String>> {

	private final ServerLink link;

	private final long sentNanos;

	private volatile boolean failed;

	Heartbeat(ServerLink link, long sentNanos) {
		super(CommandType.TIME, new ValueListOutput<>(StringCodec.UTF8), null);
		this.link = link;
		this.sentNanos = sentNanos;
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
		List<String> time = getOutput().get();
		if (!getOutput().hasError() && time.size() == 2) {
			this.link.toldTime(this.sentNanos, Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1)));
		}
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

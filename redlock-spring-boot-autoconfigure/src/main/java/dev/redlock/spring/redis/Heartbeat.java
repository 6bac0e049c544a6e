package dev.redlock.spring.redis;

import java.util.List;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandType;

/**
 * Asks for the time: a sign of life, which also tells whether the clock of an idle server
 * has stepped.
 */
final class Heartbeat extends LinkCommand<List<String>> {

	private final ServerLink link;

	private final Pulse pulse;

	Heartbeat(ServerLink link, Pulse pulse) {
		super(pulse, CommandType.TIME, new ValueListOutput<>(StringCodec.UTF8), null);
		this.link = link;
		this.pulse = pulse;
	}

	/**
	 * An answer that is an error is a sign of life too.
	 */
	@Override
	public void complete() {
		super.complete();
		List<String> time = getOutput().get();
		if (!getOutput().hasError() && time.size() == 2) {
			this.link.toldTime(calledNanos(), Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1)));
		}
	}

	@Override
	public boolean completeExceptionally(Throwable cause) {
		this.pulse.lost();
		return super.completeExceptionally(cause);
	}

	@Override
	public void cancel() {
		this.pulse.lost();
		super.cancel();
	}

}

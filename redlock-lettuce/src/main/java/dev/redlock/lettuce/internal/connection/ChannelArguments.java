package dev.redlock.lettuce.internal.connection;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;

/**
 * The arguments of {@code CLIENT REPLY SKIP}, followed by a command for a Pub/Sub channel
 * and by {@code TIME}. A server answers a subscription by a push message alone, but
 * refuses it by an ordinary answer. {@code CLIENT REPLY SKIP} drops the refusal, so the
 * three commands together always get one ordinary answer, that of {@code TIME}.
 */
final class ChannelArguments extends CommandArgs<String, String> {

	private final Command<String, String, ?> subscription;

	ChannelArguments(CommandType subscription, String channel) {
		super(StringCodec.UTF8);
		add("REPLY").add("SKIP");
		this.subscription = new Command<>(subscription, null, new CommandArgs<>(StringCodec.UTF8).addKey(channel));
	}

	@Override
	public void encode(ByteBuf buffer) {
		super.encode(buffer);
		this.subscription.encode(buffer);
		new Command<>(CommandType.TIME, null).encode(buffer);
	}

}

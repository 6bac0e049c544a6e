package dev.redlock.lettuce;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/**
 * The keys and arguments of one script call, encoded once for all nodes. Lettuce may
 * write the text form into traces and logs, so the text form never contains the token.
 */
final class ScriptArguments extends CommandArgs<String, String> {

	/**
	 * The parts of the command that are not keys: command name, script, number of keys,
	 * and arguments.
	 */
	private static final int BESIDES_KEYS = 8;

	private final ScriptCall call;

	private final @Nullable String markerKey;

	private final List<String> allKeys;

	private final byte[] head;

	private final byte[] body;

	/**
	 * Encodes the keys and the arguments of a script call.
	 * @param markerKey the key of the marker, or null if the script does not take this
	 * key
	 */
	ScriptArguments(ScriptCall call, @Nullable String markerKey, NodeSettings settings) {
		super(StringCodec.UTF8);
		this.call = call;
		this.markerKey = markerKey;
		this.allKeys = call.allKeys(markerKey);
		this.head = ("*" + (BESIDES_KEYS + this.allKeys.size()) + "\r\n").getBytes(StandardCharsets.US_ASCII);
		this.body = encoded(new CommandArgs<>(StringCodec.UTF8).add(this.allKeys.size())
			.addKeys(this.allKeys)
			.addValue(call.token())
			.add(call.millis())
			.add(call.number())
			.add(settings.clockBoundMicros())
			.add(settings.counterRetention().toMillis()));
	}

	boolean areOf(ScriptCall other, @Nullable String otherMarkerKey) {
		return this.call.equals(other) && Objects.equals(this.markerKey, otherMarkerKey);
	}

	/**
	 * Writes the Redis command for this script call to a buffer.
	 * @param name the encoded start of the command: its name, and the script or its
	 * digest
	 */
	void write(ByteBuf buffer, byte[] name) {
		buffer.ensureWritable(this.head.length + name.length + this.body.length);
		buffer.writeBytes(this.head).writeBytes(name).writeBytes(this.body);
	}

	/**
	 * Encodes all arguments through one pooled buffer. Lettuce would use one buffer for
	 * each argument.
	 */
	private static byte[] encoded(CommandArgs<String, String> arguments) {
		ByteBuf buffer = ByteBufAllocator.DEFAULT.buffer();
		try {
			arguments.encode(buffer);
			return ByteBufUtil.getBytes(buffer);
		}
		finally {
			buffer.release();
		}
	}

	@Override
	public String toCommandString() {
		return String.valueOf(this.allKeys);
	}

	@Override
	public String toString() {
		return toCommandString();
	}

}

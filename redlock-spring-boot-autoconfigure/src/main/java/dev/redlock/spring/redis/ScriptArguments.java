package dev.redlock.spring.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * What one call of a script says to every node alike, encoded once. They never show the
 * token: Lettuce can be told to put arguments into traces and logs.
 */
final class ScriptArguments extends CommandArgs<String, String> {

	/** The command, the script, the number of keys, and the arguments. */
	private static final int BESIDES_KEYS = 8;

	private final LockScript script;

	private final List<String> lockKeys;

	private final @Nullable String markerKey;

	private final String token;

	private final long millis;

	private final long fence;

	private final List<String> allKeys;

	private final ByteBuf body = Unpooled.buffer();

	ScriptArguments(LockScript script, List<String> lockKeys, @Nullable String markerKey, String token, long millis,
			long fence, NodeSettings settings) {
		super(StringCodec.UTF8);
		this.script = script;
		this.lockKeys = lockKeys;
		this.markerKey = markerKey;
		this.token = token;
		this.millis = millis;
		this.fence = fence;
		this.allKeys = script.counters() ? CounterKeys.pairs(lockKeys, markerKey) : lockKeys;
		new CommandArgs<>(StringCodec.UTF8).add(this.allKeys.size())
			.addKeys(this.allKeys)
			.addValue(token)
			.add(millis)
			.add(fence)
			.add(settings.clockBoundMicros())
			.add(settings.counterRetention().toMillis())
			.encode(this.body);
	}

	long fence() {
		return this.fence;
	}

	/**
	 * Whether these are the arguments of that call. Keys and token are compared by
	 * identity, as all nodes are given the same.
	 */
	boolean areOf(LockScript otherScript, List<String> otherKeys, @Nullable String otherMarkerKey, String otherToken,
			long otherMillis, long otherFence) {
		return this.token == otherToken && this.script == otherScript && this.lockKeys == otherKeys
				&& this.millis == otherMillis && this.fence == otherFence
				&& ((this.markerKey != null) ? this.markerKey.equals(otherMarkerKey) : otherMarkerKey == null);
	}

	/**
	 * Writes the whole command.
	 * @param buffer where to
	 * @param name the command and the script by its name on this node
	 */
	void write(ByteBuf buffer, byte[] name) {
		byte[] head = ("*" + (BESIDES_KEYS + this.allKeys.size()) + "\r\n").getBytes(StandardCharsets.US_ASCII);
		int length = this.body.readableBytes();
		buffer.ensureWritable(head.length + name.length + length);
		buffer.writeBytes(head).writeBytes(name).writeBytes(this.body, this.body.readerIndex(), length);
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

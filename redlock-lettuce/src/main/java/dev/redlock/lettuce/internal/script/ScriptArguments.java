package dev.redlock.lettuce.internal.script;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

import dev.redlock.lettuce.internal.facts.NodeSettings;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * The keys and arguments of one script call, encoded once for all nodes. The string form
 * of the arguments never contains the token, because Lettuce may trace and log this form.
 */
public final class ScriptArguments extends CommandArgs<String, String> {

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

	ScriptArguments(ScriptCall call, @Nullable String markerKey, NodeSettings settings) {
		super(StringCodec.UTF8);
		this.call = call;
		this.markerKey = markerKey;
		this.allKeys = call.allKeys(markerKey);
		this.head = ("*" + (BESIDES_KEYS + this.allKeys.size()) + "\r\n").getBytes(StandardCharsets.US_ASCII);
		this.body = encoded(call.tokens(), call.millis(), call.number(), settings.clockBoundMicros(),
				settings.counterRetention().toMillis());
	}

	ScriptCall call() {
		return this.call;
	}

	boolean areOf(ScriptCall other, @Nullable String otherMarkerKey) {
		return this.call.equals(other) && Objects.equals(this.markerKey, otherMarkerKey);
	}

	void write(ByteBuf buffer, byte[] start) {
		buffer.ensureWritable(this.head.length + start.length + this.body.length);
		buffer.writeBytes(this.head).writeBytes(start).writeBytes(this.body);
	}

	/**
	 * Encodes the number of keys, the keys and the arguments of the script. Lettuce would
	 * take one or two pooled buffers for each of them.
	 */
	private byte[] encoded(Object... arguments) {
		StringBuilder text = new StringBuilder();
		append(text, this.allKeys.size());
		for (String key : this.allKeys) {
			append(text, key);
		}
		for (Object argument : arguments) {
			append(text, argument);
		}
		// Netty encodes what Netty has counted: for half of a surrogate pair, Java writes
		// another number of bytes.
		byte[] encoded = new byte[ByteBufUtil.utf8Bytes(text)];
		ByteBufUtil.reserveAndWriteUtf8(Unpooled.wrappedBuffer(encoded).clear(), text, encoded.length);
		return encoded;
	}

	private static void append(StringBuilder text, Object argument) {
		String value = argument.toString();
		text.append('$').append(ByteBufUtil.utf8Bytes(value)).append("\r\n").append(value).append("\r\n");
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

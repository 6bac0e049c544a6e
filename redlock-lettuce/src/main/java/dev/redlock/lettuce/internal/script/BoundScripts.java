package dev.redlock.lettuce.internal.script;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

import dev.redlock.spi.Vote;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.core.script.DigestUtils;

/**
 * The Lua scripts for one server process, whose run id most of the scripts contain.
 */
public final class BoundScripts {

	public static final Vote NOT_LOADED = new Vote.Faulted(Vote.Fault.UNAVAILABLE, "The server is being checked",
			false);

	private final String runId;

	private final @Nullable Marker marker;

	private final Channels channels;

	private final Map<LockScript, byte[]> byDigest = new EnumMap<>(LockScript.class);

	public BoundScripts(String runId, @Nullable Marker marker, Channels channels) {
		this.runId = runId;
		this.marker = marker;
		this.channels = channels;
		for (LockScript script : LockScript.values()) {
			this.byDigest.put(script, call("EVALSHA", DigestUtils.sha1DigestAsHex(text(script))));
		}
	}

	public String runId() {
		return this.runId;
	}

	public String text(LockScript script) {
		return script.text(this.runId, this.marker, this.channels);
	}

	/**
	 * Returns the encoded beginning of a Redis command: {@code EVALSHA} and the digest,
	 * or {@code EVAL} and the text. {@code asText} selects the text, for a server that
	 * may not know the digest.
	 */
	public byte[] start(LockScript script, boolean asText) {
		return asText ? call("EVAL", script.wholeText(this.runId, this.marker, this.channels))
				: Objects.requireNonNull(this.byDigest.get(script));
	}

	/**
	 * Returns the Redis key of the {@link Marker} that the script gets as its last key,
	 * or null for none.
	 */
	public @Nullable String markerKey(LockScript script) {
		return (this.marker != null && script.marked() && !this.channels.sharded()) ? this.marker.key() : null;
	}

	public boolean acceptMarker(@Nullable String markerId) {
		return this.marker == null || this.marker.id().equals(markerId);
	}

	private static byte[] call(String command, String script) {
		ByteBuf buffer = Unpooled.buffer();
		new CommandArgs<>(StringCodec.UTF8).add(command).add(script).encode(buffer);
		return ByteBufUtil.getBytes(buffer);
	}

}

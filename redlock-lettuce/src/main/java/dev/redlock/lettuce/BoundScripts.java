package dev.redlock.lettuce;

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
 * The texts and digests of the Lua scripts for one server process with its data.
 */
final class BoundScripts {

	static final Vote NOT_LOADED = new Vote.Faulted(Vote.Fault.UNAVAILABLE, "The server is being checked", false);

	private final String runId;

	private final @Nullable Marker marker;

	private final boolean sharded;

	private final Map<LockScript, byte[]> byDigest = new EnumMap<>(LockScript.class);

	BoundScripts(String runId, @Nullable Marker marker, boolean sharded) {
		this.runId = runId;
		this.marker = marker;
		this.sharded = sharded;
		for (LockScript script : LockScript.values()) {
			this.byDigest.put(script, call("EVALSHA", DigestUtils.sha1DigestAsHex(text(script))));
		}
	}

	String runId() {
		return this.runId;
	}

	String text(LockScript script) {
		return script.text(this.runId, this.marker, this.sharded);
	}

	/**
	 * Returns the encoded start of a Redis command that runs the script. With {@code
	 * whole}, the command contains the script's text, because the server may not know its
	 * digest.
	 */
	byte[] start(LockScript script, boolean whole) {
		return whole ? call("EVAL", script.wholeText(this.runId, this.marker, this.sharded))
				: Objects.requireNonNull(this.byDigest.get(script));
	}

	/**
	 * Returns the key of the {@link Marker} if the script takes it as its last key,
	 * otherwise null.
	 */
	@Nullable String markerKey(LockScript script) {
		return (this.marker != null && script.marked() && !this.sharded) ? this.marker.key() : null;
	}

	boolean acceptMarker(@Nullable String markerId) {
		return this.marker == null || this.marker.id().equals(markerId);
	}

	private static byte[] call(String command, String script) {
		ByteBuf buffer = Unpooled.buffer();
		new CommandArgs<>(StringCodec.UTF8).add(command).add(script).encode(buffer);
		return ByteBufUtil.getBytes(buffer);
	}

}

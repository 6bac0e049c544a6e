package dev.redlock.lettuce.internal.script;

import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.redlock.lettuce.NodeFixture;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.core.script.DigestUtils;

import static org.assertj.core.api.Assertions.assertThat;

class ScriptEncoderTests {

	private static final List<String> KEYS = List.of("a", "schlüssel {€}", "x".repeat(1000));

	private static final Marker MARKER = new Marker("m", "id");

	private final NodeSettings settings = NodeFixture.unguarded();

	private final ScriptEncoder encoder = new ScriptEncoder(this.settings);

	/**
	 * Lettuce encodes for comparison.
	 */
	@ParameterizedTest
	@EnumSource
	void aCallLooksOnTheWireAsLettuceWouldWriteIt(LockScript script) {
		BoundScripts scripts = new BoundScripts("run", MARKER, Channels.PLAIN);
		ScriptCall call = new ScriptCall(script, KEYS, "tökén", 30_000, 17L);
		ScriptArguments arguments = this.encoder.encode(call, scripts.markerKey(script));
		ByteBuf ours = Unpooled.buffer();
		arguments.write(ours, scripts.start(script, false));
		List<String> keys = call.allKeys(scripts.markerKey(script));
		CommandArgs<String, String> lettuce = new CommandArgs<>(StringCodec.UTF8)
			.add(DigestUtils.sha1DigestAsHex(scripts.text(script)))
			.add(keys.size())
			.addKeys(keys)
			.addValue("tökén")
			.add(30_000)
			.add(17L)
			.add(this.settings.clockBoundMicros())
			.add(this.settings.counterRetention().toMillis());
		ByteBuf theirs = Unpooled.buffer();
		new Command<>(CommandType.EVALSHA, new StatusOutput<>(StringCodec.UTF8), lettuce).encode(theirs);
		assertThat(ours.toString(StandardCharsets.UTF_8)).isEqualTo(theirs.toString(StandardCharsets.UTF_8));
	}

	@Test
	void allNodesOfOneCallShareTheirArguments() {
		ScriptArguments first = encode(LockScript.ACQUIRE, KEYS, "m", "token", 17);
		assertThat(encode(LockScript.ACQUIRE, KEYS, new String("m"), "token", 17)).isSameAs(first);
	}

	@Test
	void whateverDiffersIsEncodedAnew() {
		ScriptArguments first = encode(LockScript.ACQUIRE, KEYS, "m", "token", 17);
		assertThat(encode(LockScript.ACQUIRE, KEYS, "m", "token", 18)).isNotSameAs(first);
		assertThat(encode(LockScript.ACQUIRE, KEYS, "m", "other", 17)).isNotSameAs(first);
		assertThat(encode(LockScript.ACQUIRE, KEYS, null, "token", 17)).isNotSameAs(first);
		assertThat(encode(LockScript.ACQUIRE, List.of("a"), "m", "token", 17)).isNotSameAs(first);
		assertThat(encode(LockScript.RESTORE, KEYS, "m", "token", 17)).isNotSameAs(first);
		assertThat(this.encoder.encode(new ScriptCall(LockScript.ACQUIRE, KEYS, "token", 1, 17), "m"))
			.isNotSameAs(first);
	}

	private ScriptArguments encode(LockScript script, List<String> keys, String markerKey, String token, long fence) {
		return this.encoder.encode(new ScriptCall(script, keys, token, 30_000, fence), markerKey);
	}

}

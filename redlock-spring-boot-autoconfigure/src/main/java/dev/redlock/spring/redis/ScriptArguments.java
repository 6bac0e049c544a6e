package dev.redlock.spring.redis;

import java.util.List;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;

/**
 * The arguments of a script call, which show nobody the token. Lettuce can be told to put
 * arguments into traces and logs.
 */
final class ScriptArguments extends CommandArgs<String, String> {

	private final List<String> keys;

	ScriptArguments(String script, List<String> keys, String token, long millis, long fence) {
		super(StringCodec.UTF8);
		this.keys = keys;
		add(script).add(keys.size()).addKeys(keys).add(token).add(millis).add(fence);
	}

	@Override
	public String toCommandString() {
		return String.valueOf(this.keys);
	}

	@Override
	public String toString() {
		return toCommandString();
	}

}

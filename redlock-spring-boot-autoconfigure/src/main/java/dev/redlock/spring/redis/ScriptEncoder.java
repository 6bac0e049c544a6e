package dev.redlock.spring.redis;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Encodes a call once for all nodes, which are asked one after the other. It remembers
 * the last call and nothing else.
 */
final class ScriptEncoder {

	private final NodeSettings settings;

	private @Nullable ScriptArguments last;

	ScriptEncoder(NodeSettings settings) {
		this.settings = settings;
	}

	ScriptArguments encode(LockScript script, List<String> lockKeys, @Nullable String markerKey, String token,
			long millis, long fence) {
		ScriptArguments before = this.last;
		if (before != null && before.areOf(script, lockKeys, markerKey, token, millis, fence)) {
			return before;
		}
		ScriptArguments arguments = new ScriptArguments(script, lockKeys, markerKey, token, millis, fence,
				this.settings);
		this.last = arguments;
		return arguments;
	}

}

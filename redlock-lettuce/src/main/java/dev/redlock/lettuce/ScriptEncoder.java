package dev.redlock.lettuce;

import org.jspecify.annotations.Nullable;

/**
 * Encodes each call only once, although it goes to several nodes. The nodes are asked one
 * after the other, so remembering the last call is enough.
 */
final class ScriptEncoder {

	private final NodeSettings settings;

	private @Nullable ScriptArguments last;

	ScriptEncoder(NodeSettings settings) {
		this.settings = settings;
	}

	ScriptArguments encode(ScriptCall call, @Nullable String markerKey) {
		ScriptArguments arguments = this.last;
		if (arguments == null || !arguments.areOf(call, markerKey)) {
			arguments = new ScriptArguments(call, markerKey, this.settings);
			this.last = arguments;
		}
		return arguments;
	}

}
